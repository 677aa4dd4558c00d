// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The machine's clock, which is the same for all its processes. */
public final class SharedClock {

  private SharedClock() {}

  /**
   * Reads it.
   *
   * @return nanoseconds since 1970; Linux counts single ones
   */
  public static long nanos() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  static long micros() {
    return TimeUnit.NANOSECONDS.toMicros(nanos());
  }
}
