// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.spi.TransactionCheck;
import io.outledger.jdbc.sql.OwnTransactions;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * What our transactions rely on, on SQLite. One that changes something has the one lock for writers
 * from its beginning, so that nothing it reads is old when it writes; it waits for others.
 */
final class SqliteTransactions implements OwnTransactions.Stated {

  static final int WAIT_MILLIS = 30_000;

  /** Those of the work begin with the lock, too: it writes the inbox before it does anything. */
  static final TransactionCheck CHECK =
      new TransactionCheck() {
        @Override
        public void begun(Connection connection) throws SQLException {
          lock(connection);
        }

        @Override
        public void notBegun(Connection connection) throws SQLException {
          if (!connection.getAutoCommit()) {
            boolean unused = hasBegun(connection);
            connection.setAutoCommit(true); // nothing was done
          }
        }

        @Override
        public void requireIntact(Connection connection) {
          // A commit that fails says so.
        }
      };

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
      if (connection.isClosed()) {
        return;
      }
      if (!connection.getAutoCommit() && hasBegun(connection)) {
        connection.setAutoCommit(true); // the driver took it for one with a transaction
      }
      if (connection.getAutoCommit()) {
        set(connection);
      }
    }

    /** Sets a connection on which no transaction is open. */
    private void set(Connection connection) throws SQLException {
      execute(connection, "PRAGMA busy_timeout = " + waitMillis);
      connection.setAutoCommit(autoCommit);
    }
  }

  /** Sets a connection as our transactions need it, and returns what it was set to. */
  static Modes set(Connection connection) throws SQLException {
    int waitMillis = (int) Sql.of(connection, "PRAGMA busy_timeout").number();
    Modes before = new Modes(connection.getAutoCommit(), waitMillis);
    if (!before.autoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    new Modes(true, WAIT_MILLIS).set(connection);
    return before;
  }

  /** Has a transaction that has just begun wait for the lock, in place of its first write. */
  static void lock(Connection transaction) throws SQLException {
    execute(transaction, "ROLLBACK");
    try {
      execute(transaction, "BEGIN IMMEDIATE");
    } catch (SQLException e) {
      boolean unused = hasBegun(transaction); // the driver will roll one back
      throw e;
    }
  }

  /**
   * Begins a transaction where none is open, without a lock and so without waiting. The driver
   * notes that one is open before it begins one, and does not notice where SQLite has ended it.
   *
   * @return false if one was open
   */
  private static boolean hasBegun(Connection connection) {
    try {
      execute(connection, "BEGIN");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public OwnTransactions.Undo before(Connection connection, Kind kind) throws SQLException {
    return set(connection)::setAgain;
  }

  @Override
  public void within(Connection transaction, Kind kind) throws SQLException {
    if (kind == Kind.CHANGES) {
      lock(transaction);
    }
  }
}
