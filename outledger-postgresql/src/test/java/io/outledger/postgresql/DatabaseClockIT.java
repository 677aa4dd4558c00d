// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport.State;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.servers.Await;
import io.outledger.store.Start;
import io.outledger.testing.SettableClock;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The database's clock is one hour wrong, ahead or back, from the start or from one moment on. */
class DatabaseClockIT {

  private static final Duration LEASE = Duration.ofMillis(600);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @Test
  void clockThatJumpsAheadTakesNoLeaseAwayFromItsOwner() throws SQLException {
    try (StoreBench bench = bench()) {
      Relay owner = bench.relay();
      SettableClock standbysClock = new SettableClock();
      Relay standby = bench.relay(standbysClock, Start.EARLIEST);
      bench.append("k", 1, 1);
      bench.steps(owner, 2);
      assertThat(standby.step().state()).isEqualTo(State.STANDBY);
      setAhead(bench, "1 hour");
      assertThat(bench.database.query("SELECT clock_timestamp() > now() + interval '59 min'"))
          .containsExactly("t");
      for (int i = 2; i <= 10; i++) {
        bench.append("k", i, i);
        standbysClock.advance(LEASE.dividedBy(2));
        assertThat(standby.step().state()).isEqualTo(State.STANDBY);
        bench.steps(owner, 2);
      }
      assertThat(bench.published()).hasSize(10).doesNotHaveDuplicates();
      assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
    }
  }

  @Test
  void clockThatIsAheadMovesNoRetryAndNoTakeOver() throws SQLException {
    try (StoreBench bench = bench()) {
      setAhead(bench, "1 hour");
      bench.publisher.rejectNext(
          1, new Outcome.Rejected("not now", Outcome.Rejected.Kind.DEFINITE));
      bench.append("k", 1, 1);
      Relay owner = bench.relay();
      bench.steps(owner, 2);
      bench.append("k", 2, 3);
      Await.until(
          "the rejected message is tried again",
          PATIENCE,
          () -> {
            bench.steps(owner, 1);
            return bench.published().size() == 3;
          });
      assertThat(bench.published()).containsExactly("k1", "k2", "k3");
      assertThat(bench.events(RelayEvent.Parked.class)).hasSize(1);
      bench.append("k", 4, 4);
      SettableClock successorsClock = new SettableClock();
      Relay successor = bench.relay(successorsClock, Start.EARLIEST);
      Await.until(
          "the lease is taken over",
          PATIENCE,
          () -> {
            successorsClock.advance(LEASE.dividedBy(4));
            return successor.step().state() == State.OWNER;
          });
      successor.step();
      assertThat(bench.published()).containsExactly("k1", "k2", "k3", "k4");
    }
  }

  @Test
  void clockThatIsSetBackTakesNoLeaseAwayFromItsOwner() throws SQLException {
    try (StoreBench bench = bench()) {
      Relay owner = bench.relay();
      SettableClock standbysClock = new SettableClock();
      Relay standby = bench.relay(standbysClock, Start.EARLIEST);
      bench.steps(owner, 2);
      assertThat(standby.step().state()).isEqualTo(State.STANDBY);
      setAhead(bench, "-1 hour");
      for (int i = 1; i <= 10; i++) {
        bench.append("k", i, i);
        bench.steps(owner, 2);
        standbysClock.advance(LEASE.multipliedBy(3));
        assertThat(standby.step().state()).isEqualTo(State.STANDBY);
      }
      assertThat(bench.published()).hasSize(10).doesNotHaveDuplicates();
      assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
    }
  }

  @Test
  void clockThatIsSetBackHoldsASuccessorOffForTwoLeasesAndNotForEver() throws SQLException {
    try (StoreBench bench = bench()) {
      bench.append("k", 1, 1);
      bench.steps(bench.relay(), 3);
      setAhead(bench, "-1 hour");
      bench.append("k", 2, 2);
      SettableClock successorsClock = new SettableClock();
      Relay successor = bench.relay(successorsClock, Start.EARLIEST);
      assertThat(successor.step().state()).isEqualTo(State.STANDBY);
      // The former owner's lease really ends meanwhile, on every clock but the database's.
      successorsClock.advance(LEASE.multipliedBy(2).minusNanos(1));
      assertThat(successor.step().state()).isEqualTo(State.STANDBY);
      successorsClock.advance(Duration.ofNanos(1));
      assertThat(successor.step().state()).isEqualTo(State.OWNER);
      successor.step();
      assertThat(bench.published()).containsExactly("k1", "k2");
    }
  }

  private static StoreBench bench() throws SQLException {
    StoreBench bench = new StoreBench();
    Backoff backoff = new Backoff(Duration.ofMillis(300), Duration.ofMillis(300));
    bench.options =
        StoreBench.options().lease(LEASE).retry(RetryPolicy.DEFAULT.withBackoff(backoff)).build();
    MovableClock.of(bench.database);
    return bench;
  }

  private static void setAhead(StoreBench bench, String byMuch) throws SQLException {
    new MovableClock(bench.database).setAhead(byMuch);
  }
}
