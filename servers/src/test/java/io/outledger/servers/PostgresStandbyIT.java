// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PostgresStandbyIT {

  @Test
  void standbyShowsWhatWasCommittedRefusesWritesAndTakesThemOncePromoted() throws SQLException {
    try (Postgres primary = Postgres.start()) {
      String database = primary.createDatabase();
      execute(primary, database, "CREATE TABLE kept AS SELECT 1 AS n");
      try (PostgresStandby standby = primary.standby()) {
        execute(primary, database, "INSERT INTO kept VALUES (2)");
        standby.awaitReplay();
        assertThat(sum(standby.server(), database)).isEqualTo(3);
        assertThatThrownBy(() -> execute(standby.server(), database, "INSERT INTO kept VALUES (4)"))
            .hasMessageContaining("read-only");
        primary.kill();
        standby.promote();
        execute(standby.server(), database, "INSERT INTO kept VALUES (4)");
        standby.server().restart();
        assertThat(sum(standby.server(), database)).isEqualTo(7);
      }
    }
  }

  private static void execute(Postgres server, String database, String sql) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long sum(Postgres server, String database) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT sum(n) FROM kept")) {
      row.next();
      return row.getLong(1);
    }
  }
}
