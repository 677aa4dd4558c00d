// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A savepoint that marks a transaction: it goes when the transaction ends, however that happens.
 * The server shows the id of a transaction only to those who may see all sessions.
 *
 * @param name the savepoint's
 */
record Mark(String name) {

  private static final int NO_SUCH_SAVEPOINT = 1305;

  /** Marks the transaction. */
  void set(Connection transaction) throws SQLException {
    execute(transaction, "SAVEPOINT " + name);
  }

  /**
   * Takes the mark away.
   *
   * @return false if there is none: the transaction that was marked has ended
   */
  boolean release(Connection transaction) throws SQLException {
    try {
      execute(transaction, "RELEASE SAVEPOINT " + name);
      return true;
    } catch (SQLException e) {
      if (e.getErrorCode() == NO_SUCH_SAVEPOINT) {
        return false;
      }
      throw e;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
