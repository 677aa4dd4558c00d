// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

/**
 * Milliseconds from a commit to the publisher.
 *
 * @param p50 of half of the messages at most
 * @param p99 of 99 in a hundred at most
 * @param missing how many had not arrived long after
 */
record Latency(double p50, double p99, int missing) {

  static Latency of(Reply reply, int perSecond) {
    return new Latency(
        reply.number("p50at" + perSecond),
        reply.number("p99at" + perSecond),
        (int) reply.number("missingAt" + perSecond));
  }

  void addTo(Reply reply, int perSecond) {
    reply
        .with("p50at" + perSecond, p50)
        .with("p99at" + perSecond, p99)
        .with("missingAt" + perSecond, missing);
  }
}
