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
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
  void tooManyKeysStopTheReadingUntilFewerWait() {
    owns();
    listener.on(new RelayEvent.TooManyKeys("mail", 1_000, "1000 because they were rejected"));
    listener.on(new RelayEvent.FewerKeys("kafka"));
    listener.on(new RelayEvent.FewerKeys("mail"));
    assertThat(told).extracting(RelayStatus::state).containsExactly(State.WAITING, State.RUNNING);
    assertThat(told.get(0).reason())
        .isEqualTo(
            "stopped reading because 1000 keys of route mail wait for parked messages: 1000 because"
                + " they were rejected");
    assertThat(told.get(0).causes())
        .extracting(RelayCause::kind, RelayCause::about)
        .containsExactly(tuple(Cause.Kind.WAITING_KEYS, RelayCause.About.ALL));
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
