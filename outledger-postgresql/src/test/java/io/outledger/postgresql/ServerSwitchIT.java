// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.store.Start;
import io.outledger.testing.SettableClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Another server answers than the one before, and has lost what was committed without a flush: it
 * hands out the same numbers for other messages, which a frontier kept in memory would skip.
 */
class ServerSwitchIT {

  private static final List<String> KEPT = List.of("kept1", "kept2", "kept3", "kept4", "kept5");

  private static Postgres server = Postgres.shared();

  @BeforeAll
  static void startServer() {
    server =
        Postgres.builder()
            .setting("wal_writer_delay", "10000ms")
            .setting("full_page_writes", "off")
            .setting("autovacuum", "off") // its commits would write what is not to be written yet
            .start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Test
  void numbersHandedOutAgainAfterAnUnseenRestartArePublished() throws SQLException {
    try (StoreBench bench = bench()) {
      Relay relay = bench.relay(new SettableClock(), eachStepOverAnother(bench));
      steps(relay, 3);
      bench.publisher.holdOutcomes();
      appendUnflushed(bench, "lost");
      relay.step();
      assertThat(bench.published()).hasSize(5);
      crash();
      appendAgain(bench);
      bench.publisher.releaseOutcomes();
      steps(relay, 4);
      assertThat(bench.published()).containsAll(KEPT);
      assertThat(bench.events(RelayEvent.LeaseLost.class))
          .extracting(RelayEvent.LeaseLost::reason)
          .containsExactly("a different server answered");
    }
  }

  @Test
  void restartBetweenThePollAndItsSaveSkipsNothing() throws SQLException {
    try (StoreBench bench = bench()) {
      OneConnectionAStep store = eachStepOverAnother(bench);
      Relay relay = bench.relay(new SettableClock(), store);
      steps(relay, 3);
      appendUnflushed(bench, "lost");
      store.beforeSave(
          () -> {
            crash();
            appendAgain(bench);
          });
      steps(relay, 4);
      assertThat(bench.published()).containsAll(KEPT);
    }
  }

  @Test
  void restartUnderAHandOverSkipsNothing() throws SQLException {
    try (StoreBench bench = bench()) {
      Relay relay = bench.relay(new SettableClock(), eachStepOverAnother(bench));
      steps(relay, 3);
      bench.publisher.holdOutcomes();
      appendUnflushed(bench, "lost");
      relay.step();
      relay.handOver();
      crash();
      appendAgain(bench);
      bench.publisher.releaseOutcomes();
      steps(relay, 2);
      Relay successor = bench.relay();
      Await.until(
          "a successor publishes what was appended after the crash",
          Duration.ofSeconds(60),
          () -> {
            bench.steps(successor, 10);
            return bench.published().containsAll(KEPT);
          });
    }
  }

  @Test
  void restartOfTheServerUnderARelayOverOneConnectionIsSeenAndNothingIsLost() throws SQLException {
    try (StoreBench bench = bench()) {
      Relay relay = bench.relay(bench.clock, Start.EARLIEST);
      bench.append("k", 1, 5);
      bench.steps(relay, 3);
      bench.publisher.holdOutcomes();
      bench.append("k", 6, 10);
      bench.steps(relay, 1);
      crash();
      bench.append("k", 11, 15);
      bench.publisher.releaseOutcomes();
      bench.steps(relay, 6);
      assertThat(bench.published())
          .startsWith("k1", "k2", "k3", "k4", "k5", "k6")
          .endsWith("k13", "k14", "k15")
          .hasSize(20);
      assertThat(bench.events(RelayEvent.StoreFailed.class)).hasSize(1);
    }
  }

  private static StoreBench bench() {
    StoreDatabase database = StoreDatabase.on(server);
    PostgreSql.schema().apply(database.dataSource());
    StoreBench bench = new StoreBench(database);
    bench.options = StoreBench.options().lease(Duration.ofMillis(600)).build();
    return bench;
  }

  private static OneConnectionAStep eachStepOverAnother(StoreBench bench) {
    return new OneConnectionAStep(() -> bench.database.store(StoreBench.SUBSCRIPTION));
  }

  private static void steps(Relay relay, int count) {
    for (int i = 0; i < count; i++) {
      relay.step();
    }
  }

  /**
   * Commits messages that a crash takes back, their numbers with them: all of it stands on one new
   * page of the log, which is not written before it is full.
   */
  private static void appendUnflushed(StoreBench bench, String key) throws SQLException {
    bench.database.execute("SELECT pg_switch_wal()");
    try (Connection connection = bench.begin();
        Statement statement = connection.createStatement()) {
      statement.execute("SET synchronous_commit = off");
      bench.append(connection, key, 1, 5);
      connection.commit();
    }
  }

  private static void crash() {
    server.stopImmediate();
    server.restart();
  }

  /** Appends others, and makes sure that they got the very same numbers. */
  private static void appendAgain(StoreBench bench) {
    try {
      bench.append("kept", 1, 5);
      assertThat(bench.database.query("SELECT position FROM outledger_message ORDER BY position"))
          .isEqualTo(List.of("1", "2", "3", "4", "5"));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
