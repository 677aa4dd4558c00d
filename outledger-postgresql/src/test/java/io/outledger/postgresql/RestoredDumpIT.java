// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** A dump holds no transaction ids that mean anything to the cluster into which it is restored. */
class RestoredDumpIT {

  private static final String[] TABLES = {
    "outledger_message", "outledger_cursor", "outledger_hole_block", "outledger_parked"
  };

  @Test
  void relayGoesOnInAFreshClusterWithHolesOpen() throws Exception {
    try (Postgres fresh = Postgres.builder().setting("autovacuum", "off").start();
        StoreBench old = new StoreBench();
        StoreBench restored = new StoreBench(StoreDatabase.on(fresh));
        Connection uncommitted = old.begin()) {
      old.database.execute(
          "DO $$ BEGIN FOR i IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT;"
              + " END LOOP; END $$");
      old.append(uncommitted, "uncommitted", 1, 2);
      old.append("k", 3, 5);
      Relay relay = old.relay();
      old.steps(relay, 5);
      assertThat(old.published()).containsExactly("k3", "k4", "k5");
      assertThat(openPositions(old)).isEqualTo(2);
      old.append("k", 6, 7);
      PostgreSql.schema().apply(restored.database.dataSource());
      copy(old.database, restored.database);
      assertThat(restored.database.number("SELECT pg_current_xact_id()::text"))
          .isLessThan(old.database.number("SELECT pg_current_xact_id()::text"));
      goesOn(restored);
      uncommitted.rollback();
    }
  }

  private static void goesOn(StoreBench restored) throws SQLException {
    assertThat(openPositions(restored)).isEqualTo(2);
    restored.append("k", 8, 8);
    Relay relay = restored.relay();
    // The old owner's lease is in the dump, and is waited out on both clocks.
    Await.until(
        "the holes are dropped",
        Duration.ofSeconds(60),
        () -> {
          restored.steps(relay, 1);
          restored.clock.advance(Duration.ofSeconds(1));
          return restored.events(RelayEvent.HolesDropped.class).size() == 1;
        });
    restored.steps(relay, 3);
    assertThat(restored.published()).containsExactly("k6", "k7", "k8");
    assertThat(openPositions(restored)).isZero();
  }

  private static long openPositions(StoreBench bench) throws SQLException {
    return bench.database.number(
        "SELECT coalesce(sum(last - first + 1), 0)"
            + " FROM outledger_subscription, unnest(open_first, open_last) AS open (first, last)");
  }

  private static void copy(StoreDatabase from, StoreDatabase to) throws Exception {
    try (Connection source = from.connect();
        Connection target = to.connect()) {
      for (String table : TABLES) {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        source
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyOut("COPY " + table + " TO STDOUT", rows);
        target
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("COPY " + table + " FROM STDIN", new ByteArrayInputStream(rows.toByteArray()));
      }
    }
    to.execute(
        "SELECT setval('outledger_message_position', "
            + from.number("SELECT last_value FROM outledger_message_position")
            + ")");
  }
}
