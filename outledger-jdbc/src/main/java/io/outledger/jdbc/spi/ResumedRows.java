// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.store.PauseScope;
import io.outledger.store.Pauses;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Makes parked messages due that wait for the end of a pause, the same on every database. Whoever
 * does it does no harm: a pause that has ended is over for all. Thread-safe.
 */
public final class ResumedRows {

  // The retrying ones of the subscription: only when other things are paused than before, and once
  // for each lease.
  private static final String WAITING =
      """
      SELECT %s FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no = ? AND p.state = 'retrying'
         AND p.next_attempt_at IS NULL\
      """;

  private static final String DUE =
      "UPDATE {schema}.outledger_parked SET next_attempt_at = {now} WHERE ";

  private final SqlNaming naming;
  private final RowAddress rows;
  private final CursorKey key;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @param rows how rows are locked and found again
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public ResumedRows(SqlNaming naming, RowAddress rows, CursorKey key) {
    this.naming = Require.nonNull("naming", naming);
    this.rows = Require.nonNull("rows", rows);
    this.key = Require.nonNull("key", key);
  }

  /**
   * Makes them due, in the caller's transaction.
   *
   * @param pauses what is paused: messages of these topics and keys stay as they are
   * @param limit at most this many
   * @return how many there were; the limit where more of them are left, which others have locked
   */
  public int makeDue(Connection transaction, Pauses pauses, int limit) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("pauses", pauses);
    List<String> addresses = waiting(transaction, pauses, limit, rows.skipLocked());
    makeDue(transaction, addresses);
    boolean isAnyLeft = addresses.size() < limit && !waiting(transaction, pauses, 1, "").isEmpty();
    return isAnyLeft ? limit : addresses.size();
  }

  private List<String> waiting(Connection transaction, Pauses pauses, int limit, String locking)
      throws SQLException {
    List<String> topics = names(pauses, PauseScope.Kind.TOPIC);
    List<String> keys = names(pauses, PauseScope.Kind.KEY);
    String sql =
        WAITING.formatted(rows.address())
            + (topics.isEmpty() ? "" : " AND p.topic NOT IN (" + marks(topics) + ")")
            + (keys.isEmpty()
                ? ""
                : " AND (p.message_key IS NULL OR p.message_key NOT IN (" + marks(keys) + "))")
            + " LIMIT ?"
            + locking;
    List<String> addresses = new ArrayList<>();
    try (PreparedStatement statement = transaction.prepareStatement(naming.in(sql))) {
      int at = key.bind(statement, 1);
      for (String topic : topics) {
        statement.setString(at++, topic);
      }
      for (String name : keys) {
        statement.setString(at++, name);
      }
      statement.setInt(at, limit);
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          addresses.add(found.getString(1));
        }
      }
    }
    return addresses;
  }

  private void makeDue(Connection transaction, List<String> addresses) throws SQLException {
    if (addresses.isEmpty()) {
      return;
    }
    String due = naming.in(DUE + rows.isAt());
    try (PreparedStatement statement = transaction.prepareStatement(due)) {
      for (String address : addresses) {
        statement.setString(1, address);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static List<String> names(Pauses pauses, PauseScope.Kind kind) {
    return pauses.current().keySet().stream()
        .filter(scope -> scope.kind() == kind)
        .map(PauseScope::name)
        .toList();
  }

  private static String marks(List<String> names) {
    return String.join(", ", Collections.nCopies(names.size(), "?"));
  }
}
