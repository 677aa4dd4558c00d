// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

/** What every entrant publishes to. Thread-safe. */
@FunctionalInterface
interface Receiver {

  /** Takes a message, and with that has published it. */
  void receive(int number);
}
