// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One transaction of {@link JdbcTransactions}, from its connection to its end. For one thread. */
final class RunningTransaction {

  private static final Logger LOG = LoggerFactory.getLogger(RunningTransaction.class);

  private final Connection connection;
  private final boolean autoCommit;
  private final Set<Runnable> afterCommit = new LinkedHashSet<>();
  private boolean joinedWorkFailed;
  private boolean ended;

  RunningTransaction(Connection connection) {
    this.connection = connection;
    this.autoCommit = begin(connection);
  }

  Connection connection() {
    return connection;
  }

  void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  <R extends @Nullable Object, X extends Exception> R join(TransactionCall<R, X> work) throws X {
    boolean returned = false;
    try {
      R result = work.call(connection);
      returned = true;
      return result;
    } finally {
      joinedWorkFailed |= !returned;
    }
  }

  void commit() {
    if (joinedWorkFailed) {
      throw new StoreException(
          ErrorCode.STORE_FAILED,
          "the transaction is rolled back, because work that had joined it failed, although that"
              + " failure was caught; let it pass, or run such work outside");
    }
    requireAlive();
    try {
      connection.commit();
      ended = true;
    } catch (SQLException e) {
      throw WriteFailure.isConnection(e)
          ? new StoreException(
              ErrorCode.STORE_UNAVAILABLE,
              "the outcome of the commit is unknown: the connection was lost during it. Nothing is"
                  + " tried again; look up whether it took effect",
              e)
          : WriteFailure.of(e, "commit the transaction");
    }
  }

  // PostgreSQL answers the commit of a failed transaction by rolling it back, and its driver takes
  // that for success. Work that caught a statement's exception must not look committed: a consumer
  // would acknowledge what never took effect. Where the driver does not vouch for the transaction,
  // the server is asked, which costs a round trip.
  private void requireAlive() {
    try {
      if (!PostgresDriver.isKnownAlive(connection)) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("SELECT 1");
        }
      }
    } catch (SQLException e) {
      throw WriteFailure.of(e, "commit: a statement of the transaction had failed before");
    }
  }

  void rollBack(Throwable failure) {
    try {
      connection.rollback();
      ended = true;
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /** Gives the connection back as it came. What became of the transaction is decided by now. */
  void close() {
    try (connection) {
      // While a transaction is open this would commit it: a connection that could not roll back
      // goes as it is, and the server forgets its transaction with it.
      if (autoCommit && ended) {
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      LOG.warn("A connection could not be given back after its transaction.", Printable.trace(e));
    }
  }

  /** Runs the hooks. The transaction stands: a hook that fails is logged, and the next one runs. */
  void committed() {
    for (Runnable action : afterCommit) {
      try {
        action.run();
      } catch (RuntimeException e) {
        LOG.error("A hook failed after its transaction had committed.", Printable.trace(e));
      }
    }
  }

  private static boolean begin(Connection connection) {
    try {
      boolean autoCommit = connection.getAutoCommit();
      if (autoCommit) {
        connection.setAutoCommit(false);
      }
      return autoCommit;
    } catch (SQLException e) {
      try {
        connection.close();
      } catch (SQLException onClose) {
        e.addSuppressed(onClose);
      }
      throw WriteFailure.of(e, "begin a transaction");
    }
  }
}
