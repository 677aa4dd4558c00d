// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.store.RelayStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** A dump holds no transaction ids that mean anything to the cluster into which it is restored. */
class RestoredDumpIT {

  private static final String[] TABLES = {
    "outledger_message", "outledger_cursor", "outledger_hole", "outledger_parked"
  };

  @Test
  void relayGoesOnInAFreshClusterWithHolesOpen() throws Exception {
    StoreDatabase old = StoreDatabase.create();
    try (Postgres fresh = Postgres.start();
        Connection uncommitted = old.connect();
        Statement statement = uncommitted.createStatement()) {
      StoreDatabase restored = StoreDatabase.on(fresh);
      old.execute(
          "DO $$ BEGIN FOR i IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT;"
              + " END LOOP; END $$");
      uncommitted.setAutoCommit(false);
      statement.execute(StoreDatabase.append(2));
      old.execute(StoreDatabase.append(3));
      try (RelayStore store = old.store("kafka")) {
        SmallRelay relay = SmallRelay.on(store);
        relay.step();
        relay.step();
        assertThat(relay.frontier.open().size()).isEqualTo(2);
        old.execute(StoreDatabase.append(2));
      }
      Schema.postgresql().apply(restored.dataSource());
      copy(old, restored);
      assertThat(restored.number("SELECT pg_current_xact_id()::text"))
          .isLessThan(old.number("SELECT pg_current_xact_id()::text"));
      try (RelayStore store = restored.store("kafka")) {
        SmallRelay relay = SmallRelay.on(store);
        assertThat(relay.frontier.open().size()).isEqualTo(2);
        restored.execute(StoreDatabase.append(1));
        Await.until(
            "holes dropped",
            Duration.ofSeconds(20),
            () -> {
              relay.step();
              return relay.frontier.open().isEmpty();
            });
        assertThat(relay.positions).containsExactly(6L, 7L, 8L);
      }
      uncommitted.rollback();
    }
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
