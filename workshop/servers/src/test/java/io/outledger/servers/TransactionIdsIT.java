// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class TransactionIdsIT {
  private static final long CIRCLE = 1L << 32;

  @Test
  void serverGoesOnJustBelowAndBeyondTheIdsThatFitInto32Bits() throws SQLException {
    try (Postgres server = Postgres.start()) {
      String database = server.createDatabase();
      execute(server, database, "CREATE TABLE kept AS SELECT n FROM generate_series(1, 3) n");

      server.advanceTransactionIds(CIRCLE - 500);
      assertThat(nextId(server, database)).isBetween(CIRCLE - 500, CIRCLE - 1);
      try (Connection connection = server.connect(database);
          Statement statement = connection.createStatement()) {
        for (int n = 4; n < 700; n++) { // each in a transaction of its own
          statement.execute("INSERT INTO kept VALUES (" + n + ")");
        }
      }
      assertThat(nextId(server, database)).isGreaterThan(CIRCLE);
      execute(server, database, "VACUUM (FREEZE)");
      server.kill();
      server.restart();
      assertThat(query(server, database, "SELECT count(*) FROM kept")).isEqualTo("699");

      server.advanceTransactionIds(5 * CIRCLE);
      assertThat(nextId(server, database)).isGreaterThanOrEqualTo(5 * CIRCLE);
      String another = server.createDatabase();
      execute(server, another, "VACUUM (FREEZE)");
      execute(server, database, "DELETE FROM kept WHERE n > 10");
      execute(server, database, "VACUUM kept");
      assertThat(query(server, database, "SELECT count(*) FROM kept")).isEqualTo("10");
      assertThatThrownBy(() -> server.advanceTransactionIds(CIRCLE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(query(server, database, "SELECT count(*) FROM kept")).isEqualTo("10");
      assertThat(server.logTail()).doesNotContain("ERROR", "WARNING");
    }
  }

  private static long nextId(Postgres server, String database) throws SQLException {
    return Long.parseLong(
        query(server, database, "SELECT pg_snapshot_xmax(pg_current_snapshot())::text"));
  }

  private static void execute(Postgres server, String database, String sql) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(Postgres server, String database, String sql) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return String.join(" ", values);
    }
  }
}
