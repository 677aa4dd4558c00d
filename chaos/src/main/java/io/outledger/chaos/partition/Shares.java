// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.partition;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who has which partitions, and when they were taken, all by the database's clock.
 *
 * @param connection to the database; closed by whoever gave it
 */
record Shares(Connection connection) {

  private static final String OWNED =
      "SELECT s.instance, s.partition_no FROM outledger_status s"
          + " WHERE s.subscription = ? AND s.partition_no > 0"
          + " AND s.state IN ('running', 'waiting', 'paused')";

  private static final String TAKEN =
      """
      SELECT t.partition_no, t.saved_at,
             (SELECT b.saved_at FROM outledger_cursor b
               WHERE b.subscription = t.subscription AND b.partition_no = t.partition_no
                 AND b.n < t.n ORDER BY b.n DESC LIMIT 1)
        FROM outledger_cursor t
       WHERE t.subscription = ? AND t.taken AND t.saved_at > ? ORDER BY t.n DESC\
      """;

  /**
   * When a partition was taken over.
   *
   * @param at the time
   * @param leftAt when its last owner saved last: at a stop, when it gave the lease back
   */
  record Taken(Instant at, Instant leftAt) {}

  /** Returns the partitions of each process that has some. */
  Map<String, Set<Integer>> owned() throws SQLException {
    Map<String, Set<Integer>> owned = new TreeMap<>();
    try (PreparedStatement statement = connection.prepareStatement(OWNED)) {
      statement.setString(1, WorkProcess.SUBSCRIPTION);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          owned.computeIfAbsent(rows.getString(1), name -> new TreeSet<>()).add(rows.getInt(2));
        }
      }
    }
    return owned;
  }

  Instant now() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT clock_timestamp()");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getTimestamp(1).toInstant();
    }
  }

  /** Returns the first take-over of each partition after a time. */
  Map<Integer, Taken> takenSince(Instant time) throws SQLException {
    Map<Integer, Taken> taken = new TreeMap<>();
    try (PreparedStatement statement = connection.prepareStatement(TAKEN)) {
      statement.setString(1, WorkProcess.SUBSCRIPTION);
      statement.setTimestamp(2, Timestamp.from(time));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          Timestamp left = rows.getTimestamp(3);
          Instant at = rows.getTimestamp(2).toInstant();
          taken.put(rows.getInt(1), new Taken(at, left == null ? at : left.toInstant()));
        }
      }
    }
    return taken;
  }
}
