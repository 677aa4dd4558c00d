// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.TransactionBounds;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Notices that a transaction of the work has ended on the way. After a deadlock InnoDB rolls back
 * the whole of it, and the next statement begins another one without a word: work that has caught
 * the exception would commit its second half. It costs two short round trips.
 */
final class MarkedWork implements TransactionBounds {

  static final MarkedWork BOUNDS = new MarkedWork();

  private static final Mark MARK = new Mark("outledger_work");

  private MarkedWork() {}

  @Override
  public void begin(Connection connection) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    TransactionBounds.super.begin(connection);
    try {
      MARK.set(connection);
    } catch (SQLException e) {
      restoreAfter(e, connection, autoCommit);
      throw e;
    }
  }

  private void restoreAfter(SQLException failure, Connection connection, boolean autoCommit) {
    try {
      rollBack(connection);
      restore(connection, autoCommit);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void requireIntact(Connection connection) {
    // A transaction that is not ours has no mark; a failed statement leaves it intact.
  }

  /** Asks for the mark last, so that it stands for all that was done, inbox records included. */
  @Override
  public void commit(Connection connection) throws SQLException {
    if (!MARK.release(connection)) {
      throw new SQLException(
          "what the transaction had done was rolled back or committed on the way: InnoDB rolls all"
              + " of it back after a deadlock (error 1213), and statements such as CREATE TABLE"
              + " commit it; let the exception of a deadlock go on, and run such statements"
              + " outside",
          MySqlErrors.NOT_WHOLE);
    }
    connection.commit();
  }
}
