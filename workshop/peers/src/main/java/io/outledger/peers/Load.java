// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

/**
 * How an application writes.
 *
 * @param threads how many at the same time
 * @param messages of each transaction
 */
record Load(int threads, int messages) {

  String id() {
    return "threads" + threads + "messages" + messages;
  }
}
