// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.TransactionBounds;
import io.outledger.jdbc.sql.Sql;
import io.outledger.jdbc.sql.TransactionMark;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Notices that a transaction of the work has ended on the way. After a deadlock H2 rolls back the
 * whole of it, and the next statement begins another one without a word: work that has caught the
 * exception would commit its second half. The mark is a savepoint; H2 has no statement that only
 * asks for one, so it is looked for where nothing could be lost by that, right after the failure.
 */
final class H2Bounds implements TransactionBounds {

  /** At the isolation of its pool. */
  static final H2Bounds ALL = new H2Bounds(false);

  /** At READ COMMITTED; the session remembers what it was set to. */
  static final H2Bounds READ_COMMITTED = new H2Bounds(true);

  private static final String MARK = "outledger_work";
  private static final String ENDED = "@outledger_work_ended";
  private static final String ISOLATION = "@outledger_work_isolation";
  private static final int NO_SUCH_SAVEPOINT = 90063;
  private static final int DEADLOCK = 40001;

  private final boolean isStated;

  private H2Bounds(boolean isStated) {
    this.isStated = isStated;
  }

  @Override
  public void open(Connection connection) throws SQLException {
    if (isStated) {
      execute(connection, "SET " + ISOLATION + " " + connection.getTransactionIsolation());
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
    TransactionBounds.super.open(connection);
    execute(connection, "SET " + ENDED + " FALSE");
    execute(connection, "SAVEPOINT " + MARK);
  }

  @Override
  public void requireIntact(Connection connection) {
    // A transaction that is not ours has no mark; a failed statement leaves it intact.
  }

  /** One that has changed something has not been rolled back. */
  @Override
  public void afterFailure(Connection connection, SQLException failure) throws SQLException {
    if (isDeadlock(failure)) { // a batch goes on after it, and may have changed something again
      execute(connection, "SET " + ENDED + " TRUE");
      return;
    }
    if (is(connection, "TRANSACTION_ID() IS NOT NULL")) {
      return;
    }
    try {
      execute(connection, "ROLLBACK TO SAVEPOINT " + MARK);
    } catch (SQLException e) {
      if (e.getErrorCode() != NO_SUCH_SAVEPOINT) {
        throw e;
      }
      execute(connection, "SET " + ENDED + " TRUE");
    }
  }

  private static boolean isDeadlock(SQLException failure) {
    for (Throwable each : failure) {
      if (each instanceof SQLException one && one.getErrorCode() == DEADLOCK) {
        return true;
      }
    }
    return false;
  }

  /** Says whether the transaction has ended since it was opened. */
  static boolean hasEnded(Connection connection) throws SQLException {
    return is(connection, "COALESCE(" + ENDED + ", FALSE)");
  }

  @Override
  public void commit(Connection connection) throws SQLException {
    if (hasEnded(connection)) {
      throw new SQLException(
          "what the transaction had done was rolled back on the way: H2 rolls all of it back after"
              + " a deadlock (error 40001); let the exception of a deadlock go on",
          TransactionMark.ENDED);
    }
    connection.commit();
  }

  @Override
  public void restore(Connection connection, boolean autoCommit) throws SQLException {
    if (isStated) {
      int isolation = (int) Sql.of(connection, "SELECT COALESCE(" + ISOLATION + ", 0)").number();
      if (isolation != Connection.TRANSACTION_NONE) { // else it was not opened
        connection.setTransactionIsolation(isolation);
      }
      execute(connection, "SET " + ISOLATION + " NULL");
    }
    TransactionBounds.super.restore(connection, autoCommit);
  }

  private static boolean is(Connection connection, String condition) throws SQLException {
    return Sql.of(connection, "SELECT " + condition).first(row -> row.getBoolean(1)).orElse(false);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
