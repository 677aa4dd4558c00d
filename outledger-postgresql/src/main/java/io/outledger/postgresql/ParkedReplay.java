// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * What becomes of parked messages when their subscription is moved, in the transaction that moves
 * the cursor, after its row: whoever owned it can then park nothing any more.
 */
final class ParkedReplay {

  // Both: a range of the primary key above where the cursor now stands, which is one step back. A
  // row whose message the ledger does not have, or has another one at its position, is not read
  // again, and so stays parked: one probe for each, which OFFSET 0 has the planner make one by one.
  private static final String PARKED =
      """
      DELETE FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition = ?
         AND p.position > (SELECT c.high FROM {schema}.outledger_cursor c
                            WHERE c.subscription = ? AND c.partition = ? ORDER BY c.n DESC LIMIT 1)
         AND EXISTS (SELECT FROM {schema}.outledger_message m
                      WHERE m.position = p.position AND m.id = p.id OFFSET 0)\
      """;
  private static final String LATE =
      """
      DELETE FROM {schema}.outledger_late l
       WHERE l.subscription = ? AND l.partition = ?
         AND l.position > (SELECT c.high FROM {schema}.outledger_cursor c
                            WHERE c.subscription = ? AND c.partition = ? ORDER BY c.n DESC LIMIT 1)\
      """;

  // Numbered from the highest, so that they keep their order. A message in several routes has one
  // position in all of them.
  private static final String SET_APART =
      """
      WITH mine AS (
        SELECT p.position, p.id FROM {schema}.outledger_parked p
         WHERE p.subscription = ? AND p.partition = ?),
      apart AS (
        SELECT mine.position, mine.id FROM mine
         WHERE mine.position > 0
           AND NOT EXISTS (SELECT FROM {schema}.outledger_message m
                            WHERE m.position = mine.position AND m.id = mine.id OFFSET 0)
           AND (? OR EXISTS (SELECT FROM {schema}.outledger_message m
                              WHERE m.position = mine.position OFFSET 0)))
      UPDATE {schema}.outledger_parked p
         SET position = least(0, (SELECT min(mine.position) FROM mine)) - new.rank
        FROM (SELECT DISTINCT apart.position, apart.id,
                     dense_rank() OVER (ORDER BY apart.position DESC) AS rank FROM apart) new
       WHERE p.subscription = ? AND p.partition = ?
         AND p.position = new.position AND p.id = new.id\
      """;

  private final List<String> statements;
  private final String setApart;
  private final CursorKey key;

  ParkedReplay(Tables tables, CursorKey key) {
    this.statements = List.of(tables.in(PARKED), tables.in(LATE));
    this.setApart = tables.in(SET_APART);
    this.key = key;
  }

  /**
   * Takes away what is parked of messages that the cursor, which was just moved, reads again, and
   * what says that they were settled before: they come in their order, with all their attempts and
   * without an operator's old request.
   */
  void supersede(Connection connection) throws SQLException {
    for (String sql : statements) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        key.bind(statement, key.bind(statement, 1));
        statement.executeUpdate();
      }
    }
  }

  /**
   * Gives what is parked of earlier ledgers negative positions, in its order: it stays apart from
   * whatever this ledger has, or will have, at its old ones.
   *
   * @param isAnother whether all that this ledger does not have is of an earlier one
   */
  void setApart(Connection connection, boolean isAnother) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(setApart)) {
      int next = key.bind(statement, 1);
      statement.setBoolean(next, isAnother);
      key.bind(statement, next + 1);
      statement.executeUpdate();
    }
  }
}
