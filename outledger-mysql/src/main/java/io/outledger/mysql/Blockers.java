// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Describes the transactions that may keep holes open: those of the server, oldest first. */
final class Blockers {

  // Needs the right PROCESS.
  private static final String SQL =
      """
      SELECT t.trx_mysql_thread_id, t.trx_started, t.trx_state, COALESCE(p.USER, ''),
             COALESCE(p.HOST, ''), COALESCE(LEFT(t.trx_query, 200), ''), t.trx_rows_modified
        FROM information_schema.INNODB_TRX t
        LEFT JOIN information_schema.PROCESSLIST p ON p.ID = t.trx_mysql_thread_id
       WHERE t.trx_mysql_thread_id <> CONNECTION_ID()
       ORDER BY t.trx_started LIMIT 3\
      """;

  private final Tables tables;

  Blockers(Tables tables) {
    this.tables = tables;
  }

  String describe(Connection connection) throws SQLException {
    try {
      List<String> words =
          Sql.in(tables, connection, SQL)
              .rows(
                  row ->
                      row.getLong(1) == 0
                          ? ("a prepared transaction, open since %s: find it by XA RECOVER, and end"
                                  + " it by XA COMMIT or XA ROLLBACK")
                              .formatted(row.getString(2))
                          : ("connection %s of %s at %s, in a transaction since %s, %s, %s rows"
                                  + " changed: %s")
                              .formatted(
                                  row.getLong(1),
                                  row.getString(4),
                                  row.getString(5),
                                  row.getString(2),
                                  row.getString(3),
                                  row.getLong(7),
                                  row.getString(6)));
      return words.isEmpty()
          ? "found no open transaction that could block"
          : String.join("; ", words);
    } catch (SQLException e) {
      if (tables.errors().classOf(e) == ErrorClass.RIGHT_MISSING) {
        return "the user may not see transactions: GRANT PROCESS ON *.* TO it to have them named";
      }
      throw e;
    }
  }
}
