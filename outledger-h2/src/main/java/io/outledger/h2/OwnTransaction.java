// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.StoreFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A transaction of our own, at READ COMMITTED, because each waits for a lock first and must then
 * see what the one before has committed. It leaves the connection as it was.
 */
final class OwnTransaction {

  static final int LOCK_TIMEOUT_MILLIS = 30_000;

  private static final int ATTEMPTS_MAX = 100;

  private OwnTransaction() {}

  /** What is done. */
  interface Work<T> {
    T on(Connection connection) throws SQLException;
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

  /**
   * Runs the work over a connection of its own and commits; rolls back where it fails. Where it met
   * another transaction in a way that doing it again will cure, it is done again.
   *
   * @param doing what it does, for the error's text
   * @throws io.outledger.StoreException if the database failed
   */
  static <T> T run(DataSource dataSource, String doing, Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = StoreFailure.connection(dataSource, doing)) {
        return withOwnModes(connection, work);
      } catch (SQLException e) {
        if (!H2Errors.isRace(e) || attempt == ATTEMPTS_MAX) {
          throw StoreFailure.ofOperator(H2Errors.TABLE, doing, e);
        }
      }
    }
  }

  private static <T> T withOwnModes(Connection connection, Work<T> work) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
    Modes before = Modes.of(connection);
    if (!before.autoCommit()) {
      connection.rollback();
    }
    modes().set(connection);
    try {
      return on(connection, work);
    } finally {
      before.setAgain(connection);
    }
  }

  /** What our transactions rely on. */
  static Modes modes() {
    return new Modes(true, Connection.TRANSACTION_READ_COMMITTED, LOCK_TIMEOUT_MILLIS);
  }

  /** Runs the work in one transaction of a connection that is set as ours are. */
  static <T> T on(Connection connection, Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    boolean isOver = false;
    try {
      T result = work.on(connection);
      connection.commit();
      isOver = true;
      return result;
    } catch (Throwable failure) {
      isOver = rollBack(connection, failure);
      throw failure;
    } finally {
      if (isOver) {
        connection.setAutoCommit(true);
      }
    }
  }

  private static boolean rollBack(Connection connection, Throwable failure) {
    try {
      connection.rollback();
      return true;
    } catch (SQLException e) {
      failure.addSuppressed(e);
      return false;
    }
  }
}
