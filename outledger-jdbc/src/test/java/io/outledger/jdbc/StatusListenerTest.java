// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outledger.frontier.Frontier;
import io.outledger.jdbc.admin.Cause;
import io.outledger.jdbc.spi.RelayCause;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.RelayStatus.State;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.store.Declaration;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StatusListenerTest {

  private static final UUID ME = new UUID(1, 2);

  private final List<RelayStatus> told = new ArrayList<>();
  private final Moments clock = new Moments();
  private final StatusListener listener = new StatusListener(told::add, clock);

  private void owns() {
    listener.on(new RelayEvent.LeaseTaken(ME, Frontier.START));
    told.clear();
  }

  @Test
  void relayThatStandsByIsToldOfOnce() {
    listener.on(new RelayEvent.StandsBy());
    listener.on(new RelayEvent.StandsBy());
    assertThat(told).containsExactly(new RelayStatus(State.STANDBY, null, null));
  }

  @Test
  void relayStandsByAgainOnceTheDatabaseIsBack() {
    owns();
    listener.on(new RelayEvent.StoreFailed("gone"));
    listener.on(new RelayEvent.StandsBy());
    listener.on(new RelayEvent.Refused("OUT-008"));
    listener.on(new RelayEvent.StandsBy());
    assertThat(told)
        .extracting(RelayStatus::state)
        .containsExactly(State.RECOVERING, State.STANDBY, State.REFUSED, State.STANDBY);
  }

  @Test
  void whyTheLeaseWasLostStaysToBeRead() {
    owns();
    listener.on(new RelayEvent.LeaseLost("fenced", 0));
    listener.on(new RelayEvent.StandsBy());
    assertThat(told).containsExactly(new RelayStatus(State.STANDBY, "fenced", null));
  }

  @Test
  void tooManyOpenEndsWhenTheRelayReadsOnAndNotBefore() {
    owns();
    listener.on(new RelayEvent.TooManyOpen(9, "pid 7"));
    listener.on(new RelayEvent.Saved(Frontier.START, 5, 0));
    listener.on(new RelayEvent.ReadsOn(1));
    assertThat(told).extracting(RelayStatus::state).containsExactly(State.WAITING, State.RUNNING);
  }

  @Test
  void allCausesAreToldAndSinceWhen() {
    owns();
    listener.on(new RelayEvent.OutageBegan("kafka", "refused", 1, Duration.ofSeconds(1)));
    clock.pass(Duration.ofSeconds(7));
    listener.on(new RelayEvent.BreakerOpened("mail", "orders", "order.placed", "no such topic"));
    listener.on(new RelayEvent.OutageBegan("kafka", "refused", 1, Duration.ofSeconds(1)));
    assertThat(told).hasSize(2);
    RelayStatus last = told.get(1);
    assertThat(last.reason())
        .isEqualTo("cannot reach the destination of route kafka: refused (and 1 more)");
    assertThat(last.causes())
        .extracting(RelayCause::kind, RelayCause::before)
        .containsExactly(
            tuple(Cause.Kind.OUTAGE, Duration.ofSeconds(7)),
            tuple(Cause.Kind.BREAKER, Duration.ZERO));
    listener.on(new RelayEvent.OutageOver("kafka"));
    assertThat(told.get(2).causes())
        .extracting(RelayCause::about)
        .containsExactly(new RelayCause.About("mail", "orders", "order.placed", null));
  }

  @Test
  void whatIsLackedIsACauseUntilNothingIsLacked() {
    owns();
    Declaration refunds = new Declaration("refunds", Declaration.Takes.TYPE, "refunded v1");
    listener.on(new RelayEvent.Lacks(Set.of(refunds)));
    RelayStatus lacking = told.get(0);
    assertThat(lacking.state()).isEqualTo(State.WAITING);
    assertThat(lacking.causes())
        .singleElement()
        .satisfies(
            cause -> {
              assertThat(cause.kind()).isEqualTo(Cause.Kind.LACKING);
              assertThat(cause.text()).endsWith("has route refunds, type refunded v1");
            });
    listener.on(new RelayEvent.Lacks(Set.of()));
    assertThat(told).hasSize(2);
    assertThat(told.get(1)).isEqualTo(new RelayStatus(State.RUNNING, null, ME));
    assertThat(told.get(1).causes()).isEmpty();
  }

  private static final class Moments implements TimeSource {
    private long nanos;

    void pass(Duration time) {
      nanos += time.toNanos();
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public long nanoTime() {
      return nanos;
    }
  }
}
