// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What waits for later costs nobody anything who looks for what is due now. */
class ScheduledPlansIT {

  private static final int WAITING = 20_000;
  private static final int DUE = 3;
  private static final long READS_MAX = 100;

  private final StoreDatabase database = StoreDatabase.create();

  @Test
  void onlyWhatIsDueIsRead() throws SQLException {
    database.execute(
        """
        INSERT INTO outledger_scheduled (due_at, scheduled_at, id, version, topic, type, payload)
        SELECT now() + CASE WHEN i <= %d THEN interval '-1 minute' ELSE i * interval '1 hour' END,
               now(), gen_random_uuid(), 1, 'orders', 'order.placed', 'x'
          FROM generate_series(1, %d) i
        """
            .formatted(DUE, WAITING));
    database.execute("ANALYZE outledger_scheduled");
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      PostgresDatabase tables = new PostgresDatabase(new Tables(Tables.DEFAULT_SCHEMA));
      assertThat(tables.dueMessages().due(connection, 1_000, Set.of())).hasSize(DUE);
      assertThat(reads(connection)).isBetween(1L, READS_MAX);
      assertThat(number(connection, "SELECT max(behind) FROM outledger_lag")).isEqualTo(DUE);
      assertThat(reads(connection)).isLessThan(2 * READS_MAX);
      connection.rollback();
    }
  }

  private static long reads(Connection connection) throws SQLException {
    return number(
        connection,
        "SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables"
            + " WHERE relname = 'outledger_scheduled'");
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
