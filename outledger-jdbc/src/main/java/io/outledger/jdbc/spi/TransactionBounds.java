// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * How a transaction of ours begins and ends, where a database or its driver needs more than JDBC
 * says. Thread-safe.
 */
@FunctionalInterface
public interface TransactionBounds {

  /** As JDBC has them. */
  TransactionBounds OF_JDBC = connection -> {};

  /**
   * Makes sure that a commit which returns has committed, in any transaction. Some databases answer
   * the commit of a transaction in which a statement has failed by rolling it back, and their
   * drivers take that for success. It costs a round trip only where nothing else tells.
   *
   * @param connection the connection of a transaction that is about to commit
   * @throws SQLException if the commit would roll back, or the database failed; of class {@link
   *     ErrorClass#TRANSACTION_FAILED} where a statement had failed before
   */
  void requireIntact(Connection connection) throws SQLException;

  /**
   * Begins a transaction. Where the database lets one transaction write at a time, it waits for its
   * turn here, before it has read anything.
   *
   * @param connection in whatever mode its pool lends it; nothing was done over it
   * @throws SQLException if the database failed or gave up waiting; the connection is as it came,
   *     so that its pool may lend it again
   */
  default void begin(Connection connection) throws SQLException {
    boolean autoCommit = Require.nonNull("connection", connection).getAutoCommit();
    try {
      open(connection);
    } catch (SQLException failure) {
      try {
        rollBack(connection);
        restore(connection, autoCommit);
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
  }

  /**
   * The step of {@link #begin} that opens the transaction. It may fail halfway: what it did is
   * undone by its caller.
   *
   * @throws SQLException if the database failed or gave up waiting
   */
  default void open(Connection connection) throws SQLException {
    if (Require.nonNull("connection", connection).getAutoCommit()) {
      connection.setAutoCommit(false);
    }
  }

  /**
   * Is told that a statement of the transaction has failed, before its work goes on. Where a
   * database may have ended the transaction with it, that is noted here for the commit; and one
   * that would commit each later statement by itself begins another transaction, so that those are
   * rolled back, too.
   *
   * @param failure what the statement has failed with; of a batch, with all of its failures
   * @throws SQLException if the database failed
   */
  default void afterFailure(Connection connection, SQLException failure) throws SQLException {
    Require.nonNull("connection", connection); // others begin the next one by themselves
    Require.nonNull("failure", failure);
  }

  /**
   * Commits what was done since the transaction {@linkplain #begin began}, all of it or nothing:
   * some databases roll a transaction back on the way, and begin another one without a word.
   *
   * @throws SQLException if nothing was committed, of class {@link ErrorClass#TRANSACTION_FAILED}
   *     where the transaction had ended before; or if the connection was lost meanwhile
   */
  default void commit(Connection connection) throws SQLException {
    Require.nonNull("connection", connection).commit();
  }

  /**
   * Rolls back, also after a commit that has failed.
   *
   * @throws SQLException if the transaction may still be open
   */
  default void rollBack(Connection connection) throws SQLException {
    Require.nonNull("connection", connection).rollback();
  }

  /**
   * Sets a connection as it came, after its last commit or roll-back.
   *
   * @param autoCommit whether it came in auto-commit mode
   * @throws SQLException if the database failed
   */
  default void restore(Connection connection, boolean autoCommit) throws SQLException {
    if (Require.nonNull("connection", connection).getAutoCommit() != autoCommit) {
      connection.setAutoCommit(autoCommit);
    }
  }
}
