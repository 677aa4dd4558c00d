// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import java.time.Duration;

/** What the tests that a model checker runs do with threads; nobody interrupts them. */
final class LincheckThreads {

  private LincheckThreads() {}

  static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns whether a wake-up was signalled, and waits for nothing. */
  static boolean isSignalled(Wakeup wakeup) {
    try {
      return wakeup.await(Duration.ZERO);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
