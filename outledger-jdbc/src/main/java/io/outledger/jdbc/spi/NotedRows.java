// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * The rows at which a request was noted. They are counted up to a bound: counting all of them at
 * each of its steps would be quadratic.
 *
 * @param naming the words of the schema
 * @param table the table's name, as a text that is to be named
 * @param place the column that says where a reader has parked a message
 * @param rows how rows are locked and found again
 */
record NotedRows(SqlNaming naming, String table, String place, RowAddress rows) {

  // The first rows of the table's index of requests.
  private static final String FIRST =
      """
      SELECT p.attempts, p.request_attempts FROM {table} p
       WHERE p.request_id = ? AND p.state IN ('retrying', 'dead') AND p.requested IS\
      """;

  private static final String LEFT =
      """
      SELECT (SELECT COUNT(*) FROM (%1$s NOT NULL LIMIT ?) w), COUNT(*),
             COALESCE(SUM(CASE WHEN t.attempts > t.request_attempts THEN 1 ELSE 0 END), 0)
        FROM (%1$s NULL LIMIT ?) t\
      """
          .formatted(FIRST);

  private static final String WAITING =
      "SELECT %s, p.%s FROM {table} p"
          + " WHERE p.request_id = ? AND p.requested IS NOT NULL LIMIT ?";
  private static final String CLEAR =
      "UPDATE {table} SET requested = NULL, changed_at = {now} WHERE ";

  /** A row whose flag is gone was tried, or is about to be. */
  ParkedNotes.Left left(Connection transaction, UUID request, int limit) throws SQLException {
    try (PreparedStatement statement = prepared(transaction, LEFT)) {
      naming.values().bind(statement, 1, request);
      statement.setInt(2, limit);
      naming.values().bind(statement, 3, request);
      statement.setInt(4, limit);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        long failed = row.getLong(3);
        return new ParkedNotes.Left(row.getLong(1) + row.getLong(2) - failed, failed);
      }
    }
  }

  /** Takes the request back from a batch of rows that its owner has not carried it out for. */
  TakenBack takeBack(Connection transaction, UUID request, int limit) throws SQLException {
    String waiting = named(WAITING.formatted(rows.address(), place));
    return new WaitingRows(naming, rows, waiting, named(CLEAR))
        .takeBack(transaction, request, limit);
  }

  private String named(String sql) {
    return sql.replace("{table}", table);
  }

  private PreparedStatement prepared(Connection transaction, String sql) throws SQLException {
    return transaction.prepareStatement(naming.in(named(sql)));
  }
}
