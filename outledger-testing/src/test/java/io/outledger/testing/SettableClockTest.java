// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class SettableClockTest {

  private static final Instant START = Instant.parse("2026-05-01T10:00:00Z");

  private final SettableClock clock = new SettableClock(START);

  @Test
  void clockStandsStillUntilItIsMoved() {
    assertThat(clock.now()).isEqualTo(START).isEqualTo(clock.now());
    assertThat(clock.nanoTime()).isZero();
  }

  @Test
  void timePassesOnBothClocks() {
    clock.advance(Duration.ofMillis(1500));
    assertThat(clock.now()).isEqualTo(START.plusMillis(1500));
    assertThat(clock.nanoTime()).isEqualTo(1_500_000_000L);
  }

  @Test
  void wallClockJumpsAlone() {
    clock.setNow(START.minusSeconds(3600));
    assertThat(clock.now()).isBefore(START);
    assertThat(clock.nanoTime()).isZero();
  }

  @Test
  void monotonicClockAdvancesAlone() {
    clock.advanceMonotonic(Duration.ofSeconds(1));
    assertThat(clock.now()).isEqualTo(START);
    assertThat(clock.nanoTime()).isEqualTo(1_000_000_000L);
  }

  @Test
  void timeNeverPassesBackwards() {
    assertThatIllegalArgumentException().isThrownBy(() -> clock.advance(Duration.ofNanos(-1)));
    assertThat(clock.now()).isEqualTo(START);
  }
}
