// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A server whose transaction ids no longer fit in 32 bits, as after years of writing. */
class WraparoundIT {

  private static final long CIRCLE = 1L << 32;

  @Test
  void holesOfOpenWritersStayOpenAcrossAndBeyondTheSeam() throws Exception {
    try (Postgres server = Postgres.builder().setting("autovacuum", "off").start()) {
      server.advanceTransactionIds(CIRCLE - 100);
      holesOfOpenWritersStayOpen(server, 100);
      server.advanceTransactionIds(3 * CIRCLE);
      holesOfOpenWritersStayOpen(server, 10);
    }
  }

  private static void holesOfOpenWritersStayOpen(Postgres server, int idsBetween) throws Exception {
    StoreDatabase database = StoreDatabase.on(server);
    PostgreSql.schema().apply(database.dataSource());
    try (StoreBench bench = new StoreBench(database);
        Connection open = bench.begin();
        Connection prepared = bench.begin();
        Connection rolledBack = bench.begin()) {
      Relay relay = bench.relay();
      bench.append(open, "open", 1, 1);
      bench.append(prepared, "prepared", 1, 1);
      bench.append(rolledBack, "gone", 1, 1);
      bench.append("k", 1, 1);
      try (Statement statement = prepared.createStatement()) {
        statement.execute("PREPARE TRANSACTION 'across'");
      }
      prepared.setAutoCommit(true);
      useIds(database, idsBetween);
      steps(bench, relay);
      rolledBack.rollback();
      bench.append("k", 2, 2);
      steps(bench, relay);
      assertThat(bench.published()).containsExactly("k1", "k2");
      assertThat(bench.events(RelayEvent.HolesDropped.class)).isEmpty();

      open.commit();
      try (Statement statement = prepared.createStatement()) {
        statement.execute("COMMIT PREPARED 'across'");
      }
      steps(bench, relay);
      assertThat(bench.published()).containsExactly("k1", "k2", "open1", "prepared1");
      assertThat(database.query("SELECT behind, open_ranges FROM outledger_lag"))
          .containsExactly("0|0");
    }
  }

  private static void useIds(StoreDatabase database, int count) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < count; i++) {
        statement.execute("SELECT pg_current_xact_id()");
      }
    }
  }

  /** Far enough apart that writers of the ledger are asked for. */
  private static void steps(StoreBench bench, Relay relay) {
    for (int i = 0; i < 20; i++) {
      relay.step();
      bench.clock.advance(Duration.ofSeconds(2));
    }
  }
}
