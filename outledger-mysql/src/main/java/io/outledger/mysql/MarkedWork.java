// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.TransactionBounds;
import io.outledger.jdbc.sql.TransactionMark;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Notices that a transaction of the work has ended on the way. After a deadlock InnoDB rolls back
 * the whole of it, and the next statement begins another one without a word: work that has caught
 * the exception would commit its second half. It costs two short round trips, and a third one where
 * the isolation is stated; the server shows the id of a transaction only to those who may see all
 * sessions.
 */
final class MarkedWork implements TransactionBounds {

  /** At the isolation of its pool. */
  static final MarkedWork BOUNDS = new MarkedWork(false);

  /**
   * At READ COMMITTED. InnoDB's own default shows after a wait for a lock what was there before it,
   * and locks gaps between rows, for which inserts of others wait until the transaction ends.
   */
  static final MarkedWork READ_COMMITTED = new MarkedWork(true);

  // For the next transaction alone, of which nothing is open yet.
  private static final String STATED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

  private static final int NO_SUCH_SAVEPOINT = 1305;
  private static final TransactionMark MARK =
      new TransactionMark(failure -> failure.getErrorCode() == NO_SUCH_SAVEPOINT);

  private final boolean isStated;

  private MarkedWork(boolean isStated) {
    this.isStated = isStated;
  }

  @Override
  public void open(Connection connection) throws SQLException {
    if (isStated) {
      state(connection);
    } else {
      TransactionBounds.super.open(connection);
    }
    MARK.set(connection);
  }

  private static void state(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      connection.setAutoCommit(false);
    } else {
      connection.rollback(); // what the pool has asked over it may have begun one
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(STATED);
    }
  }

  @Override
  public void requireIntact(Connection connection) {
    // A transaction that is not ours has no mark; a failed statement leaves it intact.
  }

  /** Asks for the mark last, so that it stands for all that was done, inbox records included. */
  @Override
  public void commit(Connection connection) throws SQLException {
    MARK.release(
        connection,
        "InnoDB rolls all of it back after a deadlock (error 1213), and statements such as CREATE"
            + " TABLE commit it; let the exception of a deadlock go on, and run such statements"
            + " outside");
    connection.commit();
  }
}
