// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * What becomes of parked messages when their subscription is moved, in the transaction that moves
 * the cursor, after its row: whoever owned it can then park nothing any more.
 */
final class ParkedAfterMove {

  // Both: a range of the primary key above where the cursor now stands, which is one step back. A
  // row whose message the ledger does not have, or has another one at its position, is not read
  // again, and so stays parked: one probe for each, which OFFSET 0 has the planner make one by one.
  private static final String PARKED =
      """
      DELETE FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no = ?
         AND p.position > (SELECT c.high FROM {schema}.outledger_cursor c
                            WHERE c.subscription = ? AND c.partition_no = ?
                            ORDER BY c.n DESC LIMIT 1)
         AND EXISTS (SELECT FROM {schema}.outledger_message m
                      WHERE m.position = p.position AND m.id = p.id OFFSET 0)\
      """;
  private static final String LATE =
      """
      DELETE FROM {schema}.outledger_late l
       WHERE l.subscription = ? AND l.partition_no = ?
         AND (? OR l.position > (SELECT c.high FROM {schema}.outledger_cursor c
                                  WHERE c.subscription = ? AND c.partition_no = ?
                                  ORDER BY c.n DESC LIMIT 1))\
      """;

  // The primary key, all of the subscription; one or two probes of the ledger for each row.
  private static final String EMPTIED =
      """
      UPDATE {schema}.outledger_parked p SET emptied = p.emptied + 1
       WHERE p.subscription = ? AND p.partition_no = ?
         AND CASE WHEN p.emptied > 0 THEN ?
                  ELSE NOT EXISTS (SELECT FROM {schema}.outledger_message m
                                    WHERE m.position = p.position AND m.id = p.id OFFSET 0)
                       AND (? OR EXISTS (SELECT FROM {schema}.outledger_message m
                                          WHERE m.position = p.position OFFSET 0)) END\
      """;

  private final String parked;
  private final String late;
  private final String emptied;
  private final CursorKey key;

  ParkedAfterMove(Tables tables, CursorKey key) {
    this.parked = tables.in(PARKED);
    this.late = tables.in(LATE);
    this.emptied = tables.in(EMPTIED);
    this.key = key;
  }

  /**
   * Takes away what is parked of messages that the cursor, which was just moved, reads again, and
   * what says that they were settled before: they come in their order, with all their attempts and
   * without an operator's old request.
   *
   * <p>Counts for what is parked of earlier ledgers that the ledger was emptied: messages of one
   * key keep their order across ledgers by it.
   *
   * @param isAnother whether all that this ledger does not have is of an earlier one
   */
  void supersede(Connection connection, boolean isAnother) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(parked)) {
      key.bind(statement, key.bind(statement, 1));
      statement.executeUpdate();
    }
    try (PreparedStatement statement = connection.prepareStatement(late)) {
      int next = key.bind(statement, 1);
      statement.setBoolean(next, isAnother);
      key.bind(statement, next + 1);
      statement.executeUpdate();
    }
    try (PreparedStatement statement = connection.prepareStatement(emptied)) {
      int next = key.bind(statement, 1);
      statement.setBoolean(next, isAnother);
      statement.setBoolean(next + 1, isAnother);
      statement.executeUpdate();
    }
  }
}
