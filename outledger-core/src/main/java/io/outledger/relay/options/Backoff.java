// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential back-off with full jitter: a random time between zero and a bound that doubles with
 * each failure. Of the schemes compared in "Exponential Backoff And Jitter" (M. Brooker, AWS
 * Architecture Blog, 2015) it costs the failing side the fewest calls.
 *
 * @param first the bound after the first failure; more than zero
 * @param max the highest bound; at least {@code first}, and a year at most
 */
public record Backoff(Duration first, Duration max) {

  private static final int DOUBLINGS_MAX = 30;
  private static final Duration MAX_MAX = Duration.ofDays(365);

  /**
   * Checks the bounds.
   *
   * @throws ConfigurationException {@code OUT-021} if they are not positive, out of order or too
   *     long
   */
  public Backoff {
    Require.nonNull("first", first);
    Require.nonNull("max", max);
    boolean isInOrder = !first.isZero() && !first.isNegative() && max.compareTo(first) >= 0;
    if (!isInOrder || max.compareTo(MAX_MAX) > 0) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "back-off requires 0 < first <= max <= 365 days, but first is "
              + Printable.span(first)
              + " and max is "
              + Printable.span(max));
    }
  }

  /** Returns how long to wait after the given number of failures in a row, 1 or more. */
  public Duration delay(int failures, RandomGenerator random) {
    Require.nonNull("random", random);
    return Duration.ofNanos(random.nextLong(bound(failures).toNanos() + 1));
  }

  /** Returns the longest time that {@link #delay} may return after that many failures. */
  public Duration bound(int failures) {
    Duration doubled = first.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS_MAX));
    return doubled.compareTo(max) > 0 ? max : doubled;
  }
}
