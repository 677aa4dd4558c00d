// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

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
      DELETE FROM {schema}.outledger_cursor WHERE rowid IN (
        SELECT c.rowid FROM {schema}.outledger_cursor c
         WHERE c.subscription = ? AND c.partition_no = ? AND c.n < ?
           AND (NOT c.taken OR c.saved_at < %s)
         LIMIT ?)\
      """
          .formatted(LedgerTexts.LATER);

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
