// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

/**
 * What a turn of draining took.
 *
 * @param waiting how many messages waited
 * @param published how many of them, until all were or the time was over
 * @param startSeconds from being told to begin until the first message came
 * @param seconds from that message until the database knew of all
 * @param processor time of both processes meanwhile
 * @param flaws of what was published
 */
record Drained(
    int waiting,
    int published,
    double startSeconds,
    double seconds,
    ProcessorTime processor,
    Flaws flaws) {

  /** How many came after a later one of their key, and how many came again. */
  record Flaws(int reordered, int duplicates) {}

  static Drained of(Reply reply) {
    return new Drained(
        (int) reply.number("waiting"),
        (int) reply.number("published"),
        reply.number("startSeconds"),
        reply.number("seconds"),
        new ProcessorTime((long) reply.number("jvm"), (long) reply.number("server")),
        new Flaws((int) reply.number("reordered"), (int) reply.number("duplicates")));
  }

  Reply reply() {
    return new Reply()
        .with("waiting", waiting)
        .with("published", published)
        .with("startSeconds", startSeconds)
        .with("seconds", seconds)
        .with("jvm", (double) processor.jvmMicros())
        .with("server", (double) processor.serverMicros())
        .with("reordered", flaws.reordered())
        .with("duplicates", flaws.duplicates());
  }

  int reordered() {
    return flaws.reordered();
  }

  double perSecond() {
    return published / seconds;
  }

  double startMillis() {
    return 1_000 * startSeconds;
  }

  String json() {
    return reply().json();
  }

  double jvmMicrosPerMessage() {
    return (double) processor.jvmMicros() / published;
  }

  double serverMicrosPerMessage() {
    return (double) processor.serverMicros() / published;
  }
}
