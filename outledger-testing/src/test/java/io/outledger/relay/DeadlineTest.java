// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.listener.RelayEvent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a second thread does for a relay that is stuck while its lease runs out. */
class DeadlineTest {

  private static final Duration OWN_LEASE = RelayBench.LEASE.multipliedBy(9).dividedBy(10);

  private final RelayBench bench = new RelayBench();
  private final Relay relay = bench.relay();

  @Test
  void sendingEndsInTheMomentInWhichTheDeadlinePasses() {
    bench.clock.advance(Duration.ofDays(1));
    bench.publisher.holdOutcomes();
    bench.append("a", 1, 1);
    relay.step();
    relay.step();
    bench.clock.advance(OWN_LEASE.minusNanos(1));
    relay.abortIfLate();
    assertThat(relay.untilDeadline()).isEqualTo(Duration.ofNanos(1));
    assertThat(bench.publisher.openClients()).isEqualTo(1);
    bench.clock.advance(Duration.ofSeconds(1));
    relay.abortIfLate();
    assertThat(relay.untilDeadline()).isZero();
    assertThat(bench.publisher.openClients()).isZero();
    assertThat(relay.step().state()).isEqualTo(StepReport.State.STANDBY);
    assertThat(bench.events(RelayEvent.LeaseLost.class))
        .containsExactly(
            new RelayEvent.LeaseLost("the lease expired before the relay renewed it", 1));
  }

  @Test
  void relayThatOwnsNothingLooksAgainBeforeALeaseItTakesNowCouldEnd() {
    assertThat(relay.untilDeadline()).isEqualTo(OWN_LEASE);
    relay.abortIfLate();
    assertThat(relay.step().state()).isEqualTo(StepReport.State.OWNER);
  }
}
