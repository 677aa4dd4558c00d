// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.store.Save;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The aged open ranges beside the cursor row; a save writes what has changed of them. */
final class HoleTable {

  // All three: the primary key, or the ledger's, one probe for each range.
  private static final String LOAD =
      """
      SELECT h.first, h.last FROM {schema}.outledger_hole h
       WHERE h.subscription = ? AND h.partition = ? ORDER BY h.first\
      """;
  private static final String REMOVE =
      """
      DELETE FROM {schema}.outledger_hole h
       USING unnest(?::bigint[]) AS removed (first)
       WHERE h.subscription = ? AND h.partition = ? AND h.first = removed.first\
      """;
  private static final String ADD =
      """
      INSERT INTO {schema}.outledger_hole (subscription, partition, first, last)
      SELECT ?, ?, added.first, added.last
        FROM unnest(?::bigint[], ?::bigint[]) AS added (first, last)\
      """;

  // The cursor rows of before do not list aged positions as open, so those among them that turn out
  // to be messages are noted apart; dead holes are none.
  private static final String SETTLED =
      """
      INSERT INTO {schema}.outledger_late (subscription, partition, position)
      SELECT ?, ?, m.position
        FROM unnest(?::bigint[], ?::bigint[]) AS settled (first, last)
       CROSS JOIN LATERAL (
             SELECT m.position FROM {schema}.outledger_message m
              WHERE m.position BETWEEN settled.first AND settled.last OFFSET 0) m
      ON CONFLICT DO NOTHING\
      """;

  // The primary key.
  private static final String REMOVE_ALL =
      "DELETE FROM {schema}.outledger_hole h WHERE h.subscription = ? AND h.partition = ?";

  private final String load;
  private final String remove;
  private final String add;
  private final String settled;
  private final String removeAll;
  private final CursorKey key;

  HoleTable(Tables tables, CursorKey key) {
    this.load = tables.in(LOAD);
    this.remove = tables.in(REMOVE);
    this.add = tables.in(ADD);
    this.settled = tables.in(SETTLED);
    this.removeAll = tables.in(REMOVE_ALL);
    this.key = key;
  }

  Positions load(Session session) throws SQLException {
    PreparedStatement statement = session.prepare(load);
    key.bind(statement, 1);
    PositionsBuilder aged = new PositionsBuilder();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        aged.add(rows.getLong(1), rows.getLong(2));
      }
    }
    return aged.build();
  }

  /** Replaces all of them, in the caller's transaction, which has fenced the owner. */
  void replace(Connection connection, Positions positions) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(removeAll)) {
      key.bind(statement, 1);
      statement.executeUpdate();
    }
    if (positions.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(add)) {
      int at = key.bind(statement, 1);
      statement.setArray(at, Session.array(connection, positions.firsts()));
      statement.setArray(at + 1, Session.array(connection, positions.lasts()));
      statement.executeUpdate();
    }
  }

  void change(Session session, Save save) throws SQLException {
    Positions removed = save.agedBefore().withoutRangesOf(save.aged());
    if (!removed.isEmpty()) {
      PreparedStatement statement = session.prepare(remove);
      statement.setArray(1, session.array(removed.firsts()));
      key.bind(statement, 2);
      statement.executeUpdate();
    }
    write(session, add, save.aged().withoutRangesOf(save.agedBefore()));
    write(session, settled, save.agedBefore().minus(save.aged()).minus(save.frontier().open()));
  }

  private void write(Session session, String sql, Positions positions) throws SQLException {
    if (positions.isEmpty()) {
      return;
    }
    PreparedStatement statement = session.prepare(sql);
    int at = key.bind(statement, 1);
    statement.setArray(at, session.array(positions.firsts()));
    statement.setArray(at + 1, session.array(positions.lasts()));
    statement.executeUpdate();
  }
}
