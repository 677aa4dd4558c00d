// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Rows that wait for their owner with a request, and can be taken back from it.
 *
 * @param naming the words of their schema
 * @param rows how rows are locked and found again
 * @param waiting finds the addresses and places of some that a request has, by its id and a limit
 * @param change takes back the row at an address, which follows
 */
record WaitingRows(SqlNaming naming, RowAddress rows, String waiting, String change) {

  /** Takes a batch back; what others have locked is passed over, and not waited for. */
  TakenBack takeBack(Connection transaction, UUID request, int limit) throws SQLException {
    List<Found> taken = found(transaction, waiting + rows.skipLocked(), request, limit);
    try (PreparedStatement statement = prepared(transaction, change + rows.isAt())) {
      for (Found each : taken) {
        statement.setString(1, each.address());
        statement.addBatch();
      }
      statement.executeBatch();
    }
    boolean isAnyLeft = !found(transaction, waiting, request, 1).isEmpty();
    return TakenBack.of(taken.stream().map(Found::place).toList(), limit, isAnyLeft);
  }

  /** A row's address in this transaction, and its place for good. */
  private record Found(String address, long place) {}

  private List<Found> found(Connection transaction, String sql, UUID request, int limit)
      throws SQLException {
    List<Found> found = new ArrayList<>();
    try (PreparedStatement statement = prepared(transaction, sql)) {
      naming.values().bind(statement, request, limit);
      try (ResultSet all = statement.executeQuery()) {
        while (all.next()) {
          found.add(new Found(all.getString(1), all.getLong(2)));
        }
      }
    }
    return found;
  }

  private PreparedStatement prepared(Connection transaction, String sql) throws SQLException {
    return transaction.prepareStatement(naming.in(sql));
  }
}
