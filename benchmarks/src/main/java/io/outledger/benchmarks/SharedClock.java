// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The machine's clock, which is the same for all its processes. */
final class SharedClock {

  private SharedClock() {}

  static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
