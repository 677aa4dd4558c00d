// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.spi.TransactionBounds;
import io.outledger.jdbc.sql.OwnTransactions;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * What our transactions rely on, on SQLite. One that changes something has the one lock for writers
 * from its beginning; it waits for others.
 */
final class SqliteTransactions implements OwnTransactions.Stated {

  static final int WAIT_MILLIS = 30_000;

  private SqliteTransactions() {}

  static OperatorTransactions over(DataSource dataSource) {
    return new OwnTransactions(dataSource, SqliteErrors.TABLE, new SqliteTransactions());
  }

  /** What a connection is set to. */
  record Modes(boolean autoCommit, int waitMillis) {

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
    private void set(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA busy_timeout = " + waitMillis);
      }
      SqliteBounds.READING.restore(connection, autoCommit);
    }
  }

  /** Sets a connection as our transactions need it, and returns what it was set to. */
  static Modes set(Connection connection) throws SQLException {
    int waitMillis = (int) Sql.of(connection, "PRAGMA busy_timeout").number();
    Modes before = new Modes(connection.getAutoCommit(), waitMillis);
    if (!before.autoCommit()) {
      SqliteBounds.READING.rollBack(connection);
    }
    new Modes(true, WAIT_MILLIS).set(connection);
    return before;
  }

  @Override
  public OwnTransactions.Undo before(Connection connection, Kind kind) throws SQLException {
    return set(connection)::setAgain;
  }

  @Override
  public TransactionBounds bounds(Kind kind) {
    return kind == Kind.CHANGES ? SqliteBounds.WRITING : SqliteBounds.READING;
  }

  @Override
  public void within(Connection transaction, Kind kind) {
    // It has the lock already.
  }
}
