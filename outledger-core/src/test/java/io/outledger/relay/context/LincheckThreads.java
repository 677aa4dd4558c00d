// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.context;

import java.time.Duration;

/** What the tests that a model checker runs do with threads; nobody interrupts them. */
public final class LincheckThreads {

  private LincheckThreads() {}

  public static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns whether a wake-up was signalled, and waits for nothing. */
  public static boolean isSignalled(Wakeup wakeup) {
    try {
      return wakeup.await(Duration.ZERO);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
