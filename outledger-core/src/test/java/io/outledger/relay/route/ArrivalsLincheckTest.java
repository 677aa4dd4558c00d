// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.Outcome;
import io.outledger.relay.context.LincheckThreads;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.context.Wakeup;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Outcomes come from a thread of the client while the relay collects. */
@Tag("long")
final class ArrivalsLincheckTest {

  private static final int ORDERS_OF_STEPS = 100;

  @Test
  void whatIsNotCollectedYetHasSignalled() {
    Lincheck.runConcurrentTest(ORDERS_OF_STEPS, ArrivalsLincheckTest::reportAndCollect);
  }

  private static void reportAndCollect() {
    Wakeup wakeup = new Wakeup();
    Arrivals arrivals = new Arrivals(wakeup, new SetTime());
    Thread client = new Thread(() -> report(arrivals));
    client.start();
    List<Long> collected = collect(arrivals, wakeup);
    LincheckThreads.join(client);
    if (collected.size() < 2 && !LincheckThreads.isSignalled(wakeup)) {
      throw new AssertionError("the relay sleeps, and was told only " + collected);
    }
    collected.addAll(collect(arrivals, wakeup));
    if (!collected.equals(List.of(1L, 2L))) {
      throw new AssertionError("collected " + collected);
    }
  }

  private static void report(Arrivals arrivals) {
    arrivals.report(1, Outcome.PUBLISHED);
    arrivals.report(2, Outcome.PUBLISHED);
  }

  private static List<Long> collect(Arrivals arrivals, Wakeup wakeup) {
    List<Long> collected = new ArrayList<>();
    LincheckThreads.isSignalled(wakeup);
    for (Arrivals.Arrival next = arrivals.next(); next != null; next = arrivals.next()) {
      collected.add(next.position());
    }
    return collected;
  }
}
