// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RetentionStore.Step;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes one range of messages from the ledger's beginning, and remembers how far it went in the
 * same transaction. The row that remembers is locked first, so that no cursor is placed meanwhile.
 * Removes no message while a lower one stays: where a cursor's message is gone and one below is
 * there, the ledger looks like another one.
 */
final class MessagePurge {

  // The lowest position that some subscription has not settled: one index step back for each
  // subscription, and its first hole. Null where there is no subscription. One that has read
  // another ledger, before this one was emptied, has settled nothing of it.
  private static final String LOWEST =
      """
      SELECT min(CASE WHEN %s THEN 0
                      ELSE least(coalesce(s.open_first[1], s.high + 1),
                                 (SELECT min(h.first) FROM {schema}.outledger_hole h
                                   WHERE h.subscription = s.subscription
                                     AND h.partition = s.partition)) END)
        FROM {schema}.outledger_subscription s\
      """
          .formatted(LedgerIdentity.isReset("s.high", "s.known_position", "s.known_id"));

  // One step along the primary key.
  private static final String FIRST = "SELECT min(m.position) FROM {schema}.outledger_message m";

  // One step along the primary key, across numbers that nobody has used.
  private static final String NEXT =
      "SELECT min(m.position) FROM {schema}.outledger_message m WHERE m.position > ?";

  // One range of the primary key: the first message in it that is too young, the number after the
  // range where there is none. From where the last purge stopped, so no dead entry is walked again.
  private static final String YOUNG =
      """
      SELECT coalesce(min(m.position), ?::bigint + 1) FROM {schema}.outledger_message m
       WHERE m.position > ? AND m.position <= ?
         AND m.time >= clock_timestamp() - ?::bigint * interval '1 millisecond'
         AND m.time < clock_timestamp() + interval '1 day'\
      """;

  private static final String SUBSCRIPTIONS =
      """
      SELECT s.subscription, s.partition FROM {schema}.outledger_subscription s
       ORDER BY s.subscription, s.partition\
      """;

  // All of them are ranges of primary keys. What was settled late is forgotten by one subscription
  // at a time: the planner may walk a joined view once per row, and until this transaction ends,
  // every save that meets one of the rows waits.
  private static final String REMOVE =
      "DELETE FROM {schema}.outledger_message m WHERE m.position > ? AND m.position <= ?";
  private static final String FORGET_LATE =
      """
      DELETE FROM {schema}.outledger_late l
       WHERE l.position > ? AND l.position <= ? AND l.subscription = ? AND l.partition = ?\
      """;
  private static final String REMEMBER =
      "UPDATE {schema}.outledger_retention SET purged_to = greatest(purged_to, ?)";
  private static final String PURGED_TO = "SELECT r.purged_to FROM {schema}.outledger_retention r";

  private final Tables tables;
  private final int positionsAStep;

  MessagePurge(Tables tables, int positionsAStep) {
    this.tables = tables;
    this.positionsAStep = positionsAStep;
  }

  /**
   * Removes the next range, in the caller's transaction.
   *
   * @param last the step before it; {@link Step#NONE} for the first
   */
  Step step(Connection connection, Duration age, Step last) throws SQLException {
    LedgerIdentity.lockPurgedTo(connection, tables);
    long from = last.more() ? last.to() : beginning(connection);
    long settled = number(connection, LOWEST) - 1;
    long to = Step.end(from, settled, number(connection, NEXT, from), positionsAStep);
    if (to <= from) {
      return Step.NONE;
    }
    long young = number(connection, YOUNG, to, from, to, age.toMillis());
    if (young - 1 <= from) {
      return Step.NONE;
    }
    long removed = update(connection, REMOVE, from, young - 1);
    for (CursorKey key : subscriptions(connection)) {
      try (PreparedStatement statement = bound(connection, FORGET_LATE, from, young - 1)) {
        key.bind(statement, 3);
        statement.executeUpdate();
      }
    }
    update(connection, REMEMBER, young - 1);
    return new Step(removed, young > to, young - 1);
  }

  /**
   * Returns the position before the first message, or how far an earlier purge has come: what
   * stands below that was committed late, or the ledger was emptied and renumbered.
   */
  private long beginning(Connection connection) throws SQLException {
    long purgedTo = number(connection, PURGED_TO);
    long first = number(connection, FIRST);
    return first == 0 ? purgedTo : Math.min(first - 1, purgedTo);
  }

  private List<CursorKey> subscriptions(Connection connection) throws SQLException {
    List<CursorKey> keys = new ArrayList<>();
    try (PreparedStatement statement = bound(connection, SUBSCRIPTIONS);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        keys.add(new CursorKey(rows.getString(1), rows.getInt(2)));
      }
    }
    return keys;
  }

  long purgedTo(Connection connection) throws SQLException {
    return number(connection, PURGED_TO);
  }

  private long number(Connection connection, String sql, long... values) throws SQLException {
    try (PreparedStatement statement = bound(connection, sql, values);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private long update(Connection connection, String sql, long... values) throws SQLException {
    try (PreparedStatement statement = bound(connection, sql, values)) {
      return statement.executeUpdate();
    }
  }

  private PreparedStatement bound(Connection connection, String sql, long... values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(tables.in(sql));
    for (int i = 0; i < values.length; i++) {
      statement.setLong(i + 1, values[i]);
    }
    return statement;
  }
}
