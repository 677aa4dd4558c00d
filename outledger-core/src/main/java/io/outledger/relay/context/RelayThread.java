// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.context;

/** A thread that belongs to a running relay. Only the running relay interrupts it. */
public final class RelayThread extends Thread {

  private volatile boolean mayEnd;

  /** Makes a thread that is not started. */
  public RelayThread(Runnable work, String name) {
    super(work, name);
  }

  /** Interrupts what it waits for, for good: the relay is to end without waiting any longer. */
  public void hurry() {
    mayEnd = true;
    interrupt();
  }

  /** Returns whether {@link #hurry()} was called. */
  public boolean isHurried() {
    return mayEnd;
  }

  /** Clears an interrupt that user code has left behind. Called on this thread. */
  public void forgetInterrupt() {
    if (!mayEnd) {
      Thread.interrupted();
    }
  }
}
