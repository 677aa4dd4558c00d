// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * How far retention has gone, in a row that outlives the ledger: it says nothing about one that was
 * emptied and renumbered since. Where the ledger shows that it was, nothing counts as purged, so
 * that whoever is placed reads from the first number, open writers of low numbers included.
 */
final class PurgedTo {

  /**
   * Of the row {@code r}: how far retention has gone in the ledger that is there. One step along
   * the primary key. A message that was committed late, below a place to which every subscription
   * had skipped, looks like a new ledger: then whoever reads stops and says so.
   */
  static final String IN_THIS_LEDGER =
      """
      CASE WHEN r.purged_to > %s
             OR r.purged_to >= (SELECT min(m.position) FROM {schema}.outledger_message m)
           THEN 0 ELSE r.purged_to END\
      """
          .formatted(LedgerMark.LAST_NUMBER);

  // A number that the ledger has not drawn yet is of an earlier one. Left there, it would in time
  // look like one of this ledger's.
  private static final String LOCK =
      """
      UPDATE {schema}.outledger_retention r
         SET purged_to = CASE WHEN r.purged_to > %s THEN 0 ELSE r.purged_to END
      RETURNING r.purged_to\
      """
          .formatted(LedgerMark.LAST_NUMBER);
  private static final String READ =
      "SELECT " + IN_THIS_LEDGER + " FROM {schema}.outledger_retention r";

  private PurgedTo() {}

  /**
   * Locks the row until the transaction ends, so that nobody else purges or is placed meanwhile,
   * and forgets how far retention had gone in a ledger that was emptied and renumbered since.
   */
  static void lock(Connection connection, Tables tables) throws SQLException {
    read(connection, tables.in(LOCK));
  }

  /** Returns how far retention has gone in the ledger that is there, after {@link #lock}. */
  static long inThisLedger(Connection connection, Tables tables) throws SQLException {
    return read(connection, tables.in(READ));
  }

  private static long read(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
