// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.store.RelayStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nothing that commits late is taken for a dead hole, and dead holes go, on a real server. */
class HoleProofIT {

  @Test
  void lateCommitsAndRollbacksLoseNothing() throws Exception {
    stress(StoreDatabase.create());
  }

  @Test
  void slowInsertTriggerLosesNothing() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    database.execute(
        """
        CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(random() * 0.02); RETURN new; END $$;
        CREATE TRIGGER slow BEFORE INSERT ON outledger_message
          FOR EACH ROW EXECUTE FUNCTION slow()\
        """);
    stress(database);
  }

  @Test
  void holesDropWhileAnIdleTransactionOfAnotherDatabaseIsOpen() throws Exception {
    try (Connection foreign = StoreDatabase.empty().connect();
        Statement statement = foreign.createStatement()) {
      foreign.setAutoCommit(false);
      statement.execute("SELECT pg_current_xact_id()");
      stress(StoreDatabase.create());
      foreign.rollback();
    }
  }

  @Test
  void preparedTransactionKeepsItsHoleOpenUntilItCommits() throws Exception {
    try (StoreBench bench = new StoreBench();
        RelayStore store = bench.database.store("observer");
        Connection writer = bench.begin();
        Statement statement = writer.createStatement()) {
      Relay relay = bench.relay();
      bench.append(writer, "prepared", 1, 1);
      bench.append("k", 1, 1);
      steps(bench, relay);
      List<Long> before = List.copyOf(store.writers());
      statement.execute("PREPARE TRANSACTION 'held'");
      writer.setAutoCommit(true);
      assertThat(before).hasSize(1);
      assertThat(store.writers()).containsExactlyElementsOf(before);
      assertThat(store.blockers()).contains("prepared transaction 'held'");
      steps(bench, relay);
      assertThat(bench.published()).containsExactly("k1");
      assertThat(bench.events(RelayEvent.HolesDropped.class)).isEmpty();
      statement.execute("COMMIT PREPARED 'held'");
      steps(bench, relay);
      bench.stepsUntilOpen(relay, 0);
      assertThat(bench.published()).containsExactly("k1", "prepared1");
      assertThat(bench.database.query("SELECT behind, open_ranges FROM outledger_lag"))
          .containsExactly("0|0");
    }
  }

  @Test
  void writersThatOverlapWithoutEndKeepTheHolesOfTheirOwnTimeAlone() throws Exception {
    try (StoreBench bench = new StoreBench()) {
      Relay relay = bench.relay();
      Connection before = bench.begin();
      bench.append(before, "before", 0, 0);
      for (int round = 1; round <= 12; round++) {
        Connection next = bench.begin();
        bench.append(next, "next", round, round);
        for (int lost = 0; lost < 5; lost++) {
          bench.append("k", round * 10 + lost, round * 10 + lost);
          rollBack(bench);
        }
        bench.steps(relay, 6);
        before.commit();
        before.close();
        before = next;
        bench.steps(relay, 6);
        bench.stepsUntilOpen(relay, 6); // the holes of this round and the writer's own
      }
      before.commit();
      before.close();
      bench.steps(relay, 6);
      bench.stepsUntilOpen(relay, 0);
      assertThat(bench.published()).hasSize(12 * 5 + 13);
      assertThat(bench.database.query("SELECT behind, open_ranges FROM outledger_lag"))
          .containsExactly("0|0");
    }
  }

  private static void rollBack(StoreBench bench) throws SQLException {
    try (Connection connection = bench.begin()) {
      bench.append(connection, "gone", 1, 1);
      connection.rollback();
    }
  }

  @Test
  void writerThatHoldsItsTransactionIsNamed() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    try (RelayStore store = database.store("kafka");
        Connection writer = database.connect();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute(StoreDatabase.append(1));
      assertThat(store.writers()).hasSize(1);
      assertThat(store.blockers())
          .contains("writes the ledger", "INSERT INTO", "idle in transaction");
      writer.rollback();
      assertThat(store.writers()).isEmpty();
    }
  }

  private static void stress(StoreDatabase database) throws Exception {
    try (LiveRelay live = new LiveRelay(database)) {
      List<String> expected = new ArrayList<>(NastyWriters.run(live));
      live.awaitNothingOpen();
      expected.add("last");
      assertThat(expected).hasSizeGreaterThan(NastyWriters.WRITERS * NastyWriters.TRANSACTIONS / 2);
      assertThat(live.published()).containsExactlyInAnyOrderElementsOf(expected);
      for (int writer = 0; writer < NastyWriters.WRITERS; writer++) {
        String key = "w" + writer + "-";
        assertThat(live.published().stream().filter(p -> p.startsWith(key)))
            .containsExactlyElementsOf(expected.stream().filter(p -> p.startsWith(key)).toList());
      }
      live.assertEveryNumberIsAccountedFor();
      assertThat(live.holesDropped()).isPositive();
    }
  }

  /** Far enough apart that writers of the ledger are asked for, and what waits is checked. */
  private static void steps(StoreBench bench, Relay relay) {
    for (int i = 0; i < 20; i++) {
      relay.step();
      bench.clock.advance(Duration.ofSeconds(2));
    }
  }
}
