// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Removes a cursor's old rows; those of take-overs once they are older than the retention. */
final class CursorPurge {

  private static final Duration RETENTION = Duration.ofDays(7);
  private static final int ROWS_MAX = 5000;

  // A range of the primary key.
  private static final String SQL =
      """
      DELETE FROM {schema}.outledger_cursor
       WHERE subscription = ? AND partition_no = ? AND n < ?
         AND (NOT taken OR saved_at < TIMESTAMPADD(MICROSECOND, ? * 1000, {now}))
       LIMIT ?\
      """;

  private final Tables tables;
  private final CursorKey key;

  CursorPurge(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
  }

  void purge(Connection connection, long newest) throws SQLException {
    Sql.in(
            tables,
            connection,
            SQL,
            key.subscription(),
            key.partition(),
            newest - 1,
            -RETENTION.toMillis(),
            ROWS_MAX)
        .update();
  }
}
