// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.TransactionBounds;
import io.outledger.jdbc.sql.TransactionMark;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * How a transaction of ours begins and ends, on SQLite. Its driver notes that a transaction is open
 * before it begins one, and begins the next one with each {@code commit} and {@code rollback},
 * which may have to wait for the lock: so a commit that has taken effect could fail, and a
 * connection on which none is open could pass for one in a transaction. Ours ends with the change
 * to auto-commit mode, which begins nothing.
 *
 * @param beginning the statement that begins it
 */
record SqliteBounds(String beginning) implements TransactionBounds {

  /** One that reads at most, without the lock for writers. */
  static final SqliteBounds READING = new SqliteBounds("BEGIN");

  /** One that has the lock for writers from its beginning, so that nothing it reads is old. */
  static final SqliteBounds WRITING = new SqliteBounds("BEGIN IMMEDIATE");

  private static final TransactionMark MARK = new TransactionMark(SqliteErrors::isWithoutSavepoint);

  @Override
  public void requireIntact(Connection connection) {
    // A commit that fails says so.
  }

  @Override
  public void open(Connection connection) throws SQLException {
    TransactionBounds.super.open(connection);
    endOnSqlite(connection); // what the driver begins may lock, or not lock
    execute(connection, beginning);
    MARK.set(connection);
  }

  /**
   * Where a statement has rolled all of it back, the driver would go on without a transaction. What
   * is begun here cannot be committed, so it waits for no lock, which another one may have.
   */
  @Override
  public void afterFailure(Connection connection, SQLException failure) throws SQLException {
    try {
      execute(connection, READING.beginning);
    } catch (SQLException e) {
      if (!SqliteErrors.isWithinTransaction(e)) {
        throw e;
      }
    }
  }

  @Override
  public void commit(Connection connection) throws SQLException {
    MARK.release(
        connection,
        "SQLite rolls all of it back where a trigger or a conflict clause says ROLLBACK, or after a"
            + " failure of the disk; let the exception of that statement go on");
    connection.setAutoCommit(true);
  }

  private static void endOnSqlite(Connection connection) throws SQLException {
    try {
      execute(connection, "ROLLBACK");
    } catch (SQLException e) {
      if (!SqliteErrors.isWithoutTransaction(e)) {
        throw e; // else SQLite has rolled it back
      }
    }
  }

  @Override
  public void rollBack(Connection connection) throws SQLException {
    endOnSqlite(connection);
    if (!connection.getAutoCommit()) {
      execute(connection, READING.beginning);
      connection.setAutoCommit(true); // commits nothing
    }
  }

  /** A pool that lends connections in a transaction gets one without a lock where it must wait. */
  @Override
  public void restore(Connection connection, boolean autoCommit) throws SQLException {
    if (connection.getAutoCommit() == autoCommit) {
      return;
    }
    try {
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      execute(connection, READING.beginning);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
