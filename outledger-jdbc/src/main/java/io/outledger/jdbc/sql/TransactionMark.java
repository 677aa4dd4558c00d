// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Predicate;

/**
 * Marks a transaction, on a database that has no id of transactions for everybody to see. The mark
 * is a savepoint: it goes when the transaction ends, however that happens, and stays when the work
 * sets savepoints of its own, releases them and rolls back to them.
 *
 * @param isMissing whether an error says that there is no such savepoint
 */
public record TransactionMark(Predicate<SQLException> isMissing) {

  /** SQLSTATE of the error that tells of a transaction which ended before its commit. */
  public static final String ENDED = "40000";

  private static final String NAME = "outledger_work";

  /** Marks the transaction, before its work begins. */
  public void set(Connection transaction) throws SQLException {
    execute(transaction, "SAVEPOINT " + NAME);
  }

  /**
   * Takes the mark away, as the last step before the commit.
   *
   * @param causes what may have ended the transaction on this database
   * @throws SQLException of SQLSTATE {@link #ENDED} if the transaction that was marked has ended
   */
  public void release(Connection transaction, String causes) throws SQLException {
    try {
      execute(transaction, "RELEASE SAVEPOINT " + NAME);
    } catch (SQLException e) {
      if (!isMissing.test(e)) {
        throw e;
      }
      throw new SQLException(
          "what the transaction had done was rolled back or committed on the way: " + causes,
          ENDED,
          e);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
