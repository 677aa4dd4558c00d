// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Require;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * A clock that stands still until a test moves it. Its wall clock may be set without its monotonic
 * one, as happens when a machine's clock is corrected. Thread-safe.
 */
public final class SettableClock implements TimeSource {

  private Instant now;
  private long nanos;

  /** Starts at 2026-01-01T00:00:00Z. */
  public SettableClock() {
    this(Instant.parse("2026-01-01T00:00:00Z"));
  }

  /** Starts at the given time, with the monotonic clock at 0. */
  public SettableClock(Instant now) {
    this.now = Require.nonNull("now", now);
  }

  @Override
  public synchronized Instant now() {
    return now;
  }

  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  /**
   * Lets time pass on both clocks.
   *
   * @param time how much; not negative, since a monotonic clock never goes back
   * @throws IllegalArgumentException if it is negative
   */
  public synchronized void advance(Duration time) {
    advanceMonotonic(Require.nonNull("time", time));
    now = now.plus(time);
  }

  /**
   * Lets time pass on the monotonic clock alone.
   *
   * @param time how much; not negative
   * @throws IllegalArgumentException if it is negative
   */
  public synchronized void advanceMonotonic(Duration time) {
    if (Require.nonNull("time", time).isNegative()) {
      throw new IllegalArgumentException("time is " + time + " but must not be negative");
    }
    nanos += time.toNanos();
  }

  /** Sets the wall clock alone, forwards or backwards. */
  public synchronized void setNow(Instant time) {
    now = Require.nonNull("time", time);
  }
}
