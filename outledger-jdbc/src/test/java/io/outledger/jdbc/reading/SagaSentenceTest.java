// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.TypeVersion;
import io.outledger.jdbc.admin.SagaInfo;
import io.outledger.jdbc.admin.SagaState;
import io.outledger.jdbc.admin.SagaTimer;
import io.outledger.jdbc.admin.SagaTimer.Place;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaPhase;
import io.outledger.saga.SagaRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SagaSentenceTest {

  private static final Instant NOW = Instant.parse("2026-03-01T09:30:00Z");

  private static SagaTimer timer(String name, Place place) {
    return new SagaTimer(name, new UUID(0, 1), NOW.plus(Duration.ofDays(name.length())), place);
  }

  private static String sentence(SagaPhase phase, List<String> done, SagaTimer... timers) {
    SagaInfo info =
        new SagaInfo(
            new SagaId("renewal", "r-1"),
            2,
            phase,
            new SagaRow.Progress("the payment", List.of(), done),
            new TypeVersion("renewal.state", 1),
            10,
            NOW,
            NOW,
            List.of(timers),
            false);
    return SagaSentence.of(new SagaState(info, null, List.of()));
  }

  @Test
  void nextTimeoutIsTold() {
    assertThat(
            sentence(
                SagaPhase.RUNNING,
                List.of(),
                timer("later", Place.SCHEDULED),
                timer("soon", Place.SCHEDULED)))
        .isEqualTo(
            "saga renewal of r-1 waits since 2026-03-01T09:30:00Z for the payment;"
                + " its time-out soon comes at 2026-03-05T09:30:00Z");
  }

  @Test
  void eachTimeoutThatIsNotScheduledIsTold() {
    assertThat(
            sentence(
                SagaPhase.RUNNING,
                List.of(),
                timer("a", Place.UNDERWAY),
                timer("bb", Place.PARKED),
                timer("ccc", Place.SCHEDULED)))
        .contains("its time-out ccc comes at 2026-03-04T09:30:00Z")
        .contains("its time-out a, due at 2026-03-02T09:30:00Z, is on its way")
        .contains("its time-out bb, due at 2026-03-03T09:30:00Z, is parked")
        .doesNotContain("stuck");
  }

  @Test
  void timeoutThatNeverComesLeavesItStuck() {
    assertThat(sentence(SagaPhase.RUNNING, List.of(), timer("a", Place.GONE)))
        .startsWith("saga renewal of r-1 is stuck since 2026-03-01T09:30:00Z")
        .contains("its time-out a, due at 2026-03-02T09:30:00Z, never comes");
  }

  @Test
  void timeoutThatIsADeadLetterLeavesItStuck() {
    assertThat(sentence(SagaPhase.RUNNING, List.of(), timer("a", Place.DEAD)))
        .startsWith("saga renewal of r-1 is stuck since 2026-03-01T09:30:00Z")
        .contains("is a dead letter, message ")
        .endsWith("retry or discard it");
  }

  @Test
  void whatIsLeftToCompensateForIsToldNewestFirst() {
    assertThat(sentence(SagaPhase.COMPENSATING, List.of("stock", "payment")))
        .startsWith("saga renewal of r-1 compensates since 2026-03-01T09:30:00Z")
        .endsWith("still to compensate for: payment, stock");
    assertThat(sentence(SagaPhase.RUNNING, List.of("stock"))).doesNotContain("compensate");
  }
}
