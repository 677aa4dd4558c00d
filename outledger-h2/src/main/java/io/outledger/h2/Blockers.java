// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Describes the sessions that keep holes open: those that hold the ledger's lock, oldest first. */
final class Blockers {

  private static final String SQL =
      """
      SELECT s.SESSION_ID, s.USER_NAME, s.SESSION_STATE, s.SESSION_START, s.EXECUTING_STATEMENT
        FROM INFORMATION_SCHEMA.SESSIONS s
       WHERE s.SESSION_ID IN (
             SELECT l.SESSION_ID FROM INFORMATION_SCHEMA.LOCKS l
              WHERE l.TABLE_SCHEMA = {name} AND UPPER(l.TABLE_NAME) = 'OUTLEDGER_MESSAGE')
       ORDER BY s.SESSION_ID LIMIT 3\
      """;
  private static final String PREPARED =
      "SELECT i.TRANSACTION_NAME, i.TRANSACTION_STATE FROM INFORMATION_SCHEMA.IN_DOUBT i LIMIT 3";

  private final String sql;

  Blockers(Tables tables) {
    this.sql = tables.in(SQL);
  }

  String describe(Connection connection) throws SQLException {
    List<String> words =
        new ArrayList<>(
            SessionViews.rows(
                Sql.of(connection, sql),
                row ->
                    "session %s of %s, connected since %s, writes the ledger, %s: %s"
                        .formatted(
                            row.getInt(1),
                            row.getString(2),
                            row.getString(4),
                            row.getString(3),
                            row.getString(5))));
    words.addAll(
        Sql.of(connection, PREPARED)
            .rows(
                row ->
                    "prepared transaction %s (%s): COMMIT or ROLLBACK TRANSACTION"
                        .formatted(row.getString(1), row.getString(2))));
    return words.isEmpty()
        ? "found no open transaction that could block"
        : String.join("; ", words);
  }
}
