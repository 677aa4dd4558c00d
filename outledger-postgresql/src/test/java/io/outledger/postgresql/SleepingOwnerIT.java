// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.outledger.publish.Outcome;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport.State;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.store.Start;
import io.outledger.testing.SettableClock;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An owner that is frozen for longer than its lease, beside its successor, on a real server. */
class SleepingOwnerIT {

  private static final Duration LEASE = Duration.ofMillis(600);

  /**
   * The successor's, which no slow machine may outlast: on the server it is real time that passes.
   */
  private static final Duration LONG_LEASE = Duration.ofMinutes(10);

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @Test
  void ownerThatSleptThroughItsLeasePublishesNothingAndStandsBy() throws SQLException {
    try (StoreBench bench = bench()) {
      SettableClock sleepersClock = new SettableClock();
      Relay sleeper = bench.relay(sleepersClock, Start.EARLIEST);
      Relay successor = successor(bench);
      bench.append("k", 1, 1);
      sleeper.step();
      sleeper.step();
      bench.append("k", 2, 3);
      takeOver(bench, successor);
      sleepersClock.advance(LEASE);
      assertThat(sleeper.step().state()).isEqualTo(State.STANDBY);
      bench.steps(successor, 2);
      assertThat(bench.published()).containsExactly("k1", "k2", "k3");
      assertThat(bench.publisher.handedOverAfterClose()).isEmpty();
      assertThat(bench.publisher.openClients()).isEqualTo(1);
    }
  }

  /** Its own clock stands still, as for one that is paused after it has looked at it. */
  @Test
  void ownerThatDoesNotKnowThatItSleptChangesNoRow() throws SQLException {
    try (StoreBench bench = bench()) {
      bench.publisher.rejectWhen(
          message -> "bad".equals(message.key()),
          new Outcome.Rejected("too large", Outcome.Rejected.Kind.DEFINITE));
      SettableClock still = new SettableClock();
      Relay sleeper = bench.relay(still, Start.EARLIEST);
      Relay successor = successor(bench);
      sleeper.step();
      bench.publisher.holdOutcomes();
      bench.append("bad", 1, 1);
      bench.append("k", 1, 2);
      sleeper.step();
      takeOver(bench, successor);
      bench.steps(successor, 1);
      bench.publisher.releaseOutcomes();
      String rows = "SELECT max(n), count(*) FROM outledger_cursor";
      String parked = "SELECT * FROM outledger_parked";
      var rowsBefore = bench.database.query(rows);
      assertThat(sleeper.step().state()).isEqualTo(State.STANDBY);
      assertThat(bench.database.query(rows)).isEqualTo(rowsBefore);
      assertThat(bench.database.query(parked)).isEmpty();
      bench.steps(successor, 2);
      assertThat(bench.database.query(parked)).hasSize(1);
      assertThat(bench.events(RelayEvent.LeaseLost.class))
          .singleElement()
          .extracting(RelayEvent.LeaseLost::reason, STRING)
          .startsWith("another relay took the lease"); // a page or a save may be first to tell
      bench.append("k", 3, 3);
      bench.steps(successor, 2);
      assertThat(bench.published()).containsExactly("k1", "k2", "k1", "k2", "k3");
    }
  }

  private static StoreBench bench() {
    StoreBench bench = new StoreBench();
    bench.options = StoreBench.options().lease(LEASE).build();
    return bench;
  }

  private static Relay successor(StoreBench bench) {
    bench.options = StoreBench.options().lease(LONG_LEASE).build();
    return bench.relay();
  }

  /** Waits until the lease has lapsed on the database's clock as well as on the successor's own. */
  private static void takeOver(StoreBench bench, Relay successor) {
    Await.until(
        "the lease is taken over",
        PATIENCE,
        () -> {
          bench.clock.advance(LEASE.dividedBy(4));
          return successor.step().state() == State.OWNER;
        });
  }
}
