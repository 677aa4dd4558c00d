// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Commits messages at a rate, whatever each of them takes. Each comes at any moment of its part of
 * a second, as requests do, and not in step with anything that polls. Used by one thread.
 */
final class AtARate {

  private static final long SECOND_MICROS = 1_000_000;
  private static final long SEED = 1;

  private final long periodMicros;
  private final int threads;
  private final SplittableRandom moments = new SplittableRandom(SEED);

  /**
   * Creates it.
   *
   * @param perSecond how many messages a second
   * @param threads how many may be committed at the same time
   */
  AtARate(int perSecond, int threads) {
    this.periodMicros = Math.max(1, SECOND_MICROS / perSecond);
    this.threads = threads;
  }

  /** Commits those of the numbers 0 to below the count, and returns what became of each. */
  <T> List<T> commit(int count, IntFunction<T> message) throws InterruptedException {
    ScheduledExecutorService clock = Executors.newScheduledThreadPool(threads);
    try {
      List<ScheduledFuture<T>> ticks = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        long dueMicros = i * periodMicros + moments.nextLong(periodMicros);
        ticks.add(clock.schedule(() -> message.apply(number), dueMicros, TimeUnit.MICROSECONDS));
      }
      List<T> committed = new ArrayList<>();
      for (ScheduledFuture<T> tick : ticks) {
        committed.add(tick.get());
      }
      return committed;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a message could not be committed", e);
    } finally {
      clock.shutdownNow();
    }
  }
}
