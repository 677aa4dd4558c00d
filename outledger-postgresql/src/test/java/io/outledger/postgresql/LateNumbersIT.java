// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What commits late is published by a relay, in its place, whatever else is open beside it. */
class LateNumbersIT {

  @Test
  void lateLowNumberGoesBeforeANewerOneOfItsKeyInOnePoll() throws SQLException {
    try (StoreBench bench = new StoreBench();
        Connection late = bench.begin()) {
      Relay relay = bench.relay();
      bench.append(late, "k", 1, 1);
      bench.append("x", 1, 1);
      bench.steps(relay, 3);
      assertThat(bench.published()).containsExactly("x1");
      late.commit();
      bench.append("k", 2, 2);
      bench.steps(relay, 2);
      assertThat(bench.published()).containsExactly("x1", "k1", "k2");
    }
  }

  @Test
  void subscriptionFromNowGetsALowerNumberThatCommitsLaterAndNothingBefore() throws SQLException {
    try (StoreBench bench = new StoreBench();
        Connection late = bench.begin()) {
      bench.append("before", 1, 3);
      bench.append(late, "late", 1, 1);
      bench.append("before", 4, 5);
      Relay relay = bench.relay(bench.clock, Start.NOW);
      bench.steps(relay, 3);
      bench.append("after", 1, 1);
      bench.steps(relay, 3);
      assertThat(bench.published()).containsExactly("after1");
      late.commit();
      bench.steps(relay, 3);
      assertThat(bench.published()).containsExactly("after1", "late1");
    }
  }

  @Test
  void heldSnapshotDelaysNothingAndHolesStillDrop() throws SQLException {
    try (StoreBench bench = new StoreBench();
        Connection snapshot = bench.begin();
        Statement statement = snapshot.createStatement()) {
      snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("SELECT pg_current_xact_id(), count(*) FROM outledger_message");
      Relay relay = bench.relay();
      for (int i = 1; i <= 20; i++) {
        rollBackOne(bench);
        bench.append("k", i, i);
        bench.steps(relay, 2);
        assertThat(bench.published()).hasSize(i);
      }
      bench.clock.advance(Duration.ofSeconds(2));
      bench.steps(relay, 5);
      bench.clock.advance(Duration.ofSeconds(2));
      bench.steps(relay, 5);
      long dropped =
          bench.events(RelayEvent.HolesDropped.class).stream()
              .mapToLong(event -> event.holes().size())
              .sum();
      assertThat(dropped).isEqualTo(20);
      snapshot.rollback();
    }
  }

  private static void rollBackOne(StoreBench bench) throws SQLException {
    try (Connection connection = bench.begin()) {
      bench.append(connection, "ghost", 1, 1);
      connection.rollback();
    }
  }
}
