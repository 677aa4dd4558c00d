// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.SharedClock;
import io.outledger.servers.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * An application writes messages at a steady rate, each at any moment of its share of a second, and
 * they are published in this process or another: how long from the return of the commit to the
 * publisher?
 */
final class LatencyTurn {

  private static final int WRITERS = 8;
  private static final int WARM_UP_SECONDS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final int perSecond;
  private final int first;
  private final int count;
  private final int warmUp;
  private final ArrivalLog arrivals;
  private final AtomicLongArray committed;

  /**
   * Makes one.
   *
   * @param perSecond messages
   * @param first the number of its first message
   * @param seconds how long it is timed
   * @param arrivals of its messages
   */
  LatencyTurn(int perSecond, int first, int seconds, ArrivalLog arrivals) {
    this.perSecond = perSecond;
    this.first = first;
    this.warmUp = WARM_UP_SECONDS * perSecond;
    this.count = numbers(perSecond, seconds);
    this.arrivals = arrivals;
    this.committed = new AtomicLongArray(count);
  }

  /** Returns how many messages it takes: one to see that publishing runs, and those to be timed. */
  static int numbers(int perSecond, int seconds) {
    return 1 + (WARM_UP_SECONDS + seconds) * perSecond;
  }

  Latency run(Application application, Business business) throws Exception {
    // Until its publishing runs at all, nothing is timed.
    commit(application, business, 0);
    Await.until("the first message arrives", PATIENCE, () -> arrivals.nanos(first) != 0);
    write(application, business);
    return measured();
  }

  private void write(Application application, Business business) throws Exception {
    ScheduledExecutorService writers = Executors.newScheduledThreadPool(WRITERS);
    try {
      SplittableRandom moments = new SplittableRandom(1);
      long period = 1_000_000_000L / perSecond;
      List<ScheduledFuture<?>> all = new ArrayList<>();
      for (int i = 1; i < count; i++) {
        int index = i;
        all.add(
            writers.schedule(
                () -> commit(application, business, index),
                (i - 1) * period + moments.nextLong(period),
                TimeUnit.NANOSECONDS));
      }
      for (ScheduledFuture<?> one : all) {
        one.get();
      }
    } finally {
      Background.close(writers);
    }
  }

  private Void commit(Application application, Business business, int index) throws Exception {
    CommitClock.arm();
    application.commit(business, List.of(new NumberedMessage(first + index)));
    committed.set(index, CommitClock.takeNanos());
    return null;
  }

  /** What has not arrived after some patience has taken at least so long. */
  private Latency measured() {
    awaitArrivals();
    long now = SharedClock.nanos();
    int missing = 0;
    double[] millis = new double[count - 1 - warmUp];
    for (int i = 0; i < millis.length; i++) {
      int index = 1 + warmUp + i;
      long at = arrivals.nanos(first + index);
      missing += at == 0 ? 1 : 0;
      long nanos = (at == 0 ? now : at) - committed.get(index);
      // A hand-over within the commit's own thread may come before its return was noted.
      millis[i] = Math.max(0, nanos) / 1e6;
    }
    Arrays.sort(millis);
    return new Latency(millis[millis.length / 2], millis[(int) (millis.length * 0.99)], missing);
  }

  private void awaitArrivals() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Await.until(
        "all arrive, or patience ends",
        PATIENCE.plusSeconds(5),
        () -> arrivals.haveAll(first, count) || System.nanoTime() - end > 0);
  }
}
