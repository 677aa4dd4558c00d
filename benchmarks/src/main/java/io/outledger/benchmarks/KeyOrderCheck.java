// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

/**
 * Sees whether each key's messages come in the order of their positions. Used by one thread; read
 * by any.
 */
final class KeyOrderCheck {

  private final long[] lastOfKey = new long[WaitingLedger.KEYS];
  private volatile long inOrder;
  private volatile long others;

  /**
   * Takes the next message.
   *
   * @param key its number
   * @param position above 0
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  void take(int key, long position) {
    if (position > lastOfKey[key]) {
      lastOfKey[key] = position;
      inOrder++;
    } else {
      others++;
    }
  }

  Broker.Came came() {
    return new Broker.Came(inOrder, others);
  }
}
