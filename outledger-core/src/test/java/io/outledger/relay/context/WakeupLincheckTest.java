// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.context;

import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two threads signal while one waits, in the orders that a model checker makes of their steps. */
@Tag("long")
final class WakeupLincheckTest {

  private static final int ORDERS_OF_STEPS = 150;

  @Test
  void signalIsNeitherLostNorKept() {
    Lincheck.runConcurrentTest(ORDERS_OF_STEPS, WakeupLincheckTest::signalTwice);
  }

  private static void signalTwice() {
    Wakeup wakeup = new Wakeup();
    Thread one = new Thread(wakeup::signal);
    Thread other = new Thread(wakeup::signal);
    one.start();
    other.start();
    boolean atFirst = LincheckThreads.isSignalled(wakeup);
    LincheckThreads.join(one);
    LincheckThreads.join(other);
    boolean afterwards = LincheckThreads.isSignalled(wakeup);
    if (!atFirst && !afterwards) {
      throw new AssertionError("who waits was never told of the signals");
    }
    if (LincheckThreads.isSignalled(wakeup)) {
      throw new AssertionError("who waits was told of signals that had ended a wait before");
    }
  }
}
