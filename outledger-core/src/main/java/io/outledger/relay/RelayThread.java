// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

/**
 * A thread of a running relay's own: nobody but {@link RunningRelay} has a reason to interrupt it.
 */
final class RelayThread extends Thread {

  private volatile boolean mayEnd;

  RelayThread(Runnable work, String name) {
    super(work, name);
  }

  /** Interrupts what it waits for, for good: the relay is to end without waiting any longer. */
  void hurry() {
    mayEnd = true;
    interrupt();
  }

  boolean isHurried() {
    return mayEnd;
  }

  /** Clears an interrupt that user code has left behind. Called on this thread. */
  void forgetInterrupt() {
    if (!mayEnd) {
      Thread.interrupted();
    }
  }
}
