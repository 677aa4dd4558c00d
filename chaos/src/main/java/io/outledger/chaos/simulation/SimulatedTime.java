// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.testing.SettableClock;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * The one time that passes, and the clocks that show it: each process's has an origin of its own,
 * and the database's wall clock may jump.
 */
final class SimulatedTime {

  private static final double DRIFT_MAX = 0.02;

  private final SettableClock database = new SettableClock();
  private long nanos;
  private Instant databaseHighest = database.now();

  SettableClock database() {
    return database;
  }

  long nanos() {
    return nanos;
  }

  void pass(Duration time) {
    nanos += time.toNanos();
    database.advance(time);
  }

  void databaseJumps(Duration by) {
    keepHighest();
    database.setNow(database.now().plus(by));
    keepHighest();
  }

  private void keepHighest() {
    if (database.now().isAfter(databaseHighest)) {
      databaseHighest = database.now();
    }
  }

  /**
   * Returns how long it takes until the database's clock shows nothing that it has shown before.
   */
  Duration databaseIsBehindBy() {
    Duration behind = Duration.between(database.now(), databaseHighest);
    return behind.isNegative() ? Duration.ZERO : behind;
  }

  /**
   * Returns a process's clock: its wall is wrong by some, its monotonic origin is its own, and it
   * goes a little too fast or too slow.
   */
  TimeSource clock(Choices choices) {
    Duration wallIsWrongBy = Duration.ofSeconds(choices.between(-4000, 4000));
    long origin = choices.between(-1_000_000, 1_000_000) * 1_000_000L;
    double rate = 1 + choices.between(-100, 100) * DRIFT_MAX / 100;
    Instant start = Instant.EPOCH.plus(Duration.ofDays(20_000)).plus(wallIsWrongBy);
    return new TimeSource() {
      @Override
      public Instant now() {
        return start.plusNanos((long) (nanos * rate));
      }

      @Override
      public long nanoTime() {
        return origin + (long) (nanos * rate);
      }
    };
  }
}
