// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Takes away what is parked of messages that a moved subscription is to read again, and what says
 * that they were settled before: the replay reads them again, in their order, with all their
 * attempts and without an operator's old request. In the transaction that moves the cursor, after
 * its row: whoever owned it can then park nothing any more.
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

  private final List<String> statements;
  private final CursorKey key;

  ParkedReplay(Tables tables, CursorKey key) {
    this.statements = List.of(tables.in(PARKED), tables.in(LATE));
    this.key = key;
  }

  /** Takes the rows of all positions away that the cursor, which was just moved, reads again. */
  void supersede(Connection connection) throws SQLException {
    for (String sql : statements) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        key.bind(statement, key.bind(statement, 1));
        statement.executeUpdate();
      }
    }
  }
}
