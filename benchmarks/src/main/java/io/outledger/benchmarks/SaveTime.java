// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * Milliseconds that a business transaction takes which inserts an order and appends one message,
 * from its begin to the return of its commit.
 *
 * @param p50 of half of them at most
 * @param p99 of 99 in a hundred at most
 */
public record SaveTime(double p50, double p99) {

  private static final int WARM_UP_MILLIS = 300;

  /** A transaction. */
  @FunctionalInterface
  public interface Save<X extends Exception> {

    /** Begins and commits it. */
    void run() throws X;
  }

  /**
   * Has one thread save again and again, and times it.
   *
   * @param millis for how long, after a while that is not counted
   * @param between what it does before each of them, which is not timed
   * @param save what is timed
   */
  public static <X extends Exception> SaveTime measure(long millis, Save<X> between, Save<X> save)
      throws X {
    timed(WARM_UP_MILLIS, between, save);
    Sample sample = Sample.of(timed(millis, between, save));
    return new SaveTime(sample.median(), sample.percentile(99));
  }

  private static <X extends Exception> List<Double> timed(
      long millis, Save<X> between, Save<X> save) throws X {
    List<Double> took = new ArrayList<>();
    long end = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() - end < 0) {
      between.run();
      long start = System.nanoTime();
      save.run();
      took.add((System.nanoTime() - start) / 1e6);
    }
    return took;
  }
}
