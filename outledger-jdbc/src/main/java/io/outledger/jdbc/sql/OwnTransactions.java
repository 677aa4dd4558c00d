// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.RedactedSqlException;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.spi.StoreFailure;
import io.outledger.jdbc.spi.TransactionBounds;
import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.event.Level;

/**
 * Transactions of our own, each over a connection of the data source that is left as it was. What a
 * transaction relies on is stated by the database's module. Thread-safe.
 *
 * <p>All are at READ COMMITTED where the database has it, because each waits for a lock first and
 * must then see what the one before has committed; a snapshot from before the wait would not show
 * it.
 */
public final class OwnTransactions implements OperatorTransactions {

  private static final int ATTEMPTS_MAX = 100;

  /** Two transactions that meet once are nothing to tell of. */
  private static final int ATTEMPTS_UNTOLD = 1;

  private static final QuietLog LOG =
      new QuietLog(OwnTransactions.class, "transactions", TimeSource.system());

  private final DataSource dataSource;
  private final SqlErrors errors;
  private final Stated stated;

  /** Creates it, without I/O. */
  public OwnTransactions(DataSource dataSource, SqlErrors errors, Stated stated) {
    this.dataSource = dataSource;
    this.errors = errors;
    this.stated = stated;
  }

  /**
   * What a transaction relies on, whatever the pool, the user or the database has for a default:
   * its isolation, whether it may write, and how long it may take and wait.
   */
  public interface Stated {

    /**
     * Sets a connection for more than the transaction, where there is no other way. What the pool
     * has asked over it may have opened a transaction, which is nobody's.
     *
     * @return what sets it as it was
     */
    Undo before(Connection connection, Kind kind) throws SQLException;

    /** Returns how it begins and ends. */
    default TransactionBounds bounds(Kind kind) {
      return TransactionBounds.OF_JDBC;
    }

    /** States the rest in a transaction that has just begun, for itself alone. */
    void within(Connection transaction, Kind kind) throws SQLException;
  }

  /** Sets a connection as it was. */
  @FunctionalInterface
  public interface Undo {

    /**
     * Sets it. The transaction may still be open where it could not be rolled back: nothing may
     * commit it then.
     */
    void on(Connection connection) throws SQLException;
  }

  @Override
  public <T> T run(Kind kind, String doing, Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = StoreFailure.connection(dataSource, doing)) {
        return on(connection, stated, kind, work);
      } catch (SQLException e) {
        if (errors.classOf(e) != ErrorClass.RACE || attempt == ATTEMPTS_MAX) {
          throw StoreFailure.ofOperator(errors, doing, e);
        }
        if (attempt > ATTEMPTS_UNTOLD) {
          LOG.fails(
              Level.INFO,
              "again",
              () -> doing + " waits for another transaction, and is tried again",
              RedactedSqlException.of(e));
        }
      }
    }
  }

  /** Runs the work in a transaction over a connection once, and leaves the connection as it was. */
  public static <T> T on(Connection connection, Stated stated, Kind kind, Work<T> work)
      throws SQLException {
    Undo undo = stated.before(connection, kind);
    try {
      // What the pool may have asked over it has opened a transaction, in which it is too late.
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      return on(
          connection,
          stated.bounds(kind),
          transaction -> {
            stated.within(transaction, kind);
            return work.on(transaction);
          });
    } finally {
      undo.on(connection);
    }
  }

  /** Runs the work in one transaction of a connection that is set as it has to be. */
  public static <T> T on(Connection connection, TransactionBounds bounds, Work<T> work)
      throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    bounds.begin(connection);
    boolean isOver = false;
    try {
      T result = work.on(connection);
      bounds.commit(connection);
      isOver = true;
      return result;
    } catch (Throwable failure) {
      isOver = rollBack(connection, bounds, failure);
      throw failure;
    } finally {
      // While a transaction is open this would commit it: a connection that could not roll back
      // goes as it is, and the server forgets its transaction with it.
      if (isOver) {
        bounds.restore(connection, autoCommit);
      }
    }
  }

  private static boolean rollBack(
      Connection connection, TransactionBounds bounds, Throwable failure) {
    try {
      bounds.rollBack(connection);
      return true;
    } catch (SQLException e) {
      failure.addSuppressed(e);
      return false;
    }
  }
}
