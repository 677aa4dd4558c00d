// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.CursorKey;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Removes a cursor's old rows, from where it stopped before, so that no dead index entries are
 * walked again. One row a second stays, and each row of a take-over, until they are older than the
 * retention. The newest rows stay always. Not thread-safe.
 */
final class CursorPurge {

  private static final int ROWS_MAX = 5000;
  private static final long UNKNOWN = -1;

  // A range of the primary key, and for each row of it one probe of the next.
  private static final String THIN =
      """
      DELETE FROM {schema}.outledger_cursor c
       WHERE c.subscription = ? AND c.partition_no = ? AND c.n >= ? AND c.n < ? AND NOT c.taken
         AND EXISTS (SELECT FROM {schema}.outledger_cursor later
                      WHERE later.subscription = c.subscription
                        AND later.partition_no = c.partition_no
                        AND later.n = c.n + 1
                        AND date_trunc('second', later.saved_at)
                          = date_trunc('second', c.saved_at))\
      """;

  // The first rows of a range of the primary key.
  private static final String EXPIRE =
      """
      WITH expired AS (
        SELECT oldest.n FROM (
          SELECT c.n, c.saved_at FROM {schema}.outledger_cursor c
           WHERE c.subscription = ? AND c.partition_no = ? AND c.n >= ? AND c.n < ?
           ORDER BY c.n LIMIT ?) oldest
         WHERE oldest.saved_at < clock_timestamp() - ?::bigint * interval '1 millisecond'),
      gone AS (
        DELETE FROM {schema}.outledger_cursor c
         USING expired
         WHERE c.subscription = ? AND c.partition_no = ? AND c.n = expired.n
        RETURNING c.n)
      SELECT max(n) FROM gone\
      """;

  private final String thin;
  private final String expire;
  private final CursorKey key;
  private final Duration retention;
  private long thinnedTo = UNKNOWN;
  private long expiredTo;

  CursorPurge(Tables tables, CursorKey key, Duration retention) {
    this.thin = tables.in(THIN);
    this.expire = tables.in(EXPIRE);
    this.key = key;
    this.retention = retention;
  }

  void purge(Session session, long newest) throws SQLException {
    thin(session, newest);
    expire(session, newest);
  }

  private void thin(Session session, long newest) throws SQLException {
    // After a restart: where the owner before may have stopped. What it misses expires all the
    // same.
    long from = thinnedTo == UNKNOWN ? Math.max(0, newest - 2L * ROWS_MAX) : thinnedTo;
    long to = Math.min(newest - 1, from + ROWS_MAX);
    if (to <= from) {
      return;
    }
    PreparedStatement statement = session.prepare(thin);
    int at = key.bind(statement, 1);
    statement.setLong(at++, from);
    statement.setLong(at, to);
    statement.executeUpdate();
    thinnedTo = to;
  }

  private void expire(Session session, long newest) throws SQLException {
    PreparedStatement statement = session.prepare(expire);
    int at = key.bind(statement, 1);
    statement.setLong(at++, expiredTo);
    statement.setLong(at++, newest - 1);
    statement.setInt(at++, ROWS_MAX);
    statement.setLong(at++, retention.toMillis());
    key.bind(statement, at);
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      expiredTo = Math.max(expiredTo, row.getLong(1));
    }
  }
}
