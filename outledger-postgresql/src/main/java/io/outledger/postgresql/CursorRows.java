// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.KnownMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The newest row of a cursor, read and written by whoever does not own it, in their transaction.
 */
final class CursorRows {

  // All: one step back along the primary key.
  private static final String NEWEST =
      """
      SELECT c.n, c.high, coalesce(c.lease_until >= clock_timestamp(), false), c.gone
        FROM {schema}.outledger_cursor c
       WHERE c.subscription = ? AND c.partition = ? ORDER BY c.n DESC LIMIT 1\
      """;

  private static final String BEFORE_NEWEST =
      """
      SELECT c.high, c.open_first, c.open_last FROM {schema}.outledger_cursor c
       WHERE c.subscription = ? AND c.partition = ? ORDER BY c.n DESC OFFSET 1 LIMIT 1\
      """;

  private static final String ROLLED_BACK = "40001";

  private final Tables tables;
  private final CursorKey key;

  CursorRows(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
  }

  /**
   * The newest row of a subscription that is there.
   *
   * @param n its number
   * @param high the highest position it has seen
   * @param isOwned whether somebody has a lease that has not run out
   */
  record Newest(long n, long high, boolean isOwned) {}

  /** Returns the newest row, or empty where there is no such subscription, or no more. */
  Optional<Newest> newest(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(NEWEST))) {
      key.bind(statement, 1);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && !row.getBoolean(4)
            ? Optional.of(new Newest(row.getLong(1), row.getLong(2), row.getBoolean(3)))
            : Optional.empty();
      }
    }
  }

  /**
   * Writes the next row, released and of a new incarnation, so that whoever owned it is fenced.
   *
   * @param known the message by which the next owner knows the ledger; null where there is none
   * @return whether it did; not where the newest row does not allow it
   * @throws SQLTransactionRollbackException if somebody else was writing it; to be done again in a
   *     new transaction
   */
  boolean write(Connection connection, CursorWrite story, long high, @Nullable KnownMessage known)
      throws SQLException {
    long written;
    try (PreparedStatement statement = connection.prepareStatement(story.in(tables))) {
      statement.setLong(1, high);
      int at = LedgerIdentity.bind(statement, 2, known);
      CursorWrite.bind(statement, at, key, null, Duration.ZERO);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return false;
        }
        written = row.getLong(1);
      }
    } catch (SQLException e) {
      throw PostgresErrors.isDuplicate(e) ? race(e) : e;
    }
    requireNewest(connection, written);
    return true;
  }

  /**
   * Checks that a row just written is the newest. Its statement may have hung between its snapshot
   * and its insert, and the owner have saved on meanwhile: where the owner's row of this number was
   * purged, the key is free again. Newer rows are there then, and this second statement sees them.
   */
  void requireNewest(Connection connection, long written) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(NEWEST))) {
      key.bind(statement, 1);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next() || row.getLong(1) != written) {
          throw race(null);
        }
      }
    }
  }

  /** Returns what the row says that was the newest before one was just written. */
  Frontier beforeNewest(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(BEFORE_NEWEST))) {
      key.bind(statement, 1);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? new Frontier(row.getLong(1), Positions.ofRanges(longs(row, 2), longs(row, 3)))
            : Frontier.START;
      }
    }
  }

  /** Returns an array of numbers. */
  static long[] longs(ResultSet row, int column) throws SQLException {
    Long[] boxed = (Long[]) row.getArray(column).getArray();
    long[] values = new long[boxed.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = boxed[i];
    }
    return values;
  }

  private SQLException race(@Nullable SQLException cause) {
    return new SQLTransactionRollbackException(
        "another session changed the cursor of subscription " + key, ROLLED_BACK, cause);
  }
}
