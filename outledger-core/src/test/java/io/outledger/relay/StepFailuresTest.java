// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.log.KeptLog;
import io.outledger.relay.context.SetTime;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class StepFailuresTest {

  private static final Duration DAY = Duration.ofDays(1);

  private final SetTime clock = new SetTime();
  private final KeptLog kept = new KeptLog(Level.INFO);
  private final StepFailures failures = new StepFailures(kept.quiet("relay orders", clock));

  /** Fails for a day, each time when the next step is due. */
  private void failForADay(Supplier<Duration> step) {
    long end = clock.nanos + DAY.toNanos();
    while (clock.nanos - end < 0) {
      clock.nanos += step.get().toNanos();
    }
  }

  @Test
  void conditionThatIsNotMetIsToldAboutOnceAMinute() {
    failForADay(
        () ->
            failures.refused(
                new ConfigurationException(ErrorCode.SCHEMA_MISSING, "there is no schema")));
    assertThat(kept.lines().get(0))
        .isEqualTo(
            "ERROR relay orders: publishes nothing until this is fixed; next look in 2 s: OUT-003"
                + " there is no schema");
    assertThat(kept.lines()).hasSizeBetween(1_440, 1_450);
  }

  @Test
  void stepThatFailsIsToldAboutOnceAMinuteAndItsTraceOnce() {
    failForADay(() -> failures.failed(new IllegalStateException("planted at " + clock.nanos)));
    assertThat(kept.lines().get(0))
        .startsWith("ERROR relay orders: failed unexpectedly and gave up its lease;")
        .contains("planted at");
    assertThat(kept.lines()).hasSizeBetween(1_440, 1_450);
    assertThat(kept.traces()).hasSize(1);
  }
}
