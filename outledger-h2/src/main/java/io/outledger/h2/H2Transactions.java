// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.sql.OwnTransactions;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** What our transactions rely on, on H2: it is set for the whole session, and set back. */
final class H2Transactions implements OwnTransactions.Stated {

  static final int LOCK_TIMEOUT_MILLIS = 30_000;

  private H2Transactions() {}

  static OperatorTransactions over(DataSource dataSource) {
    return over(dataSource, H2Errors.TABLE);
  }

  static OperatorTransactions over(DataSource dataSource, SqlErrors errors) {
    return new OwnTransactions(dataSource, errors, new H2Transactions());
  }

  /** What a session is set to. */
  record Modes(boolean autoCommit, int isolation, int lockTimeoutMillis) {

    static Modes of(Connection connection) throws SQLException {
      return new Modes(
          connection.getAutoCommit(),
          connection.getTransactionIsolation(),
          (int) Sql.of(connection, "SELECT LOCK_TIMEOUT()").number());
    }

    /**
     * Sets a connection as it was, after our last transaction. One that could not even be rolled
     * back stays as it is: to change its modes would commit.
     */
    void setAgain(Connection connection) throws SQLException {
      if (!connection.isClosed() && connection.getAutoCommit()) {
        set(connection);
      }
    }

    /** Sets a connection on which no transaction is open. */
    void set(Connection connection) throws SQLException {
      connection.setAutoCommit(true);
      connection.setTransactionIsolation(isolation);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET LOCK_TIMEOUT " + lockTimeoutMillis);
      }
      connection.setAutoCommit(autoCommit);
    }
  }

  /** Sets a connection as our transactions need it, and returns what it was set to. */
  static Modes set(Connection connection) throws SQLException {
    Modes before = Modes.of(connection);
    if (!before.autoCommit()) {
      connection.rollback();
    }
    new Modes(true, Connection.TRANSACTION_READ_COMMITTED, LOCK_TIMEOUT_MILLIS).set(connection);
    return before;
  }

  @Override
  public OwnTransactions.Undo before(Connection connection, Kind kind) throws SQLException {
    return set(connection)::setAgain;
  }

  @Override
  public void within(Connection transaction, Kind kind) {
    // The session has it already.
  }
}
