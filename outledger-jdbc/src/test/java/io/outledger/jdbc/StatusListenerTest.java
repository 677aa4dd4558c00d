// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.RelayStatus.State;
import io.outledger.relay.listener.RelayEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StatusListenerTest {

  private static final UUID ME = new UUID(1, 2);

  private final List<RelayStatus> told = new ArrayList<>();
  private final StatusListener listener = new StatusListener(told::add);

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
}
