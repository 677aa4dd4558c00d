// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.TransactionBounds;
import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** One transaction of {@link JdbcTransactions}, from its connection to its end. For one thread. */
final class RunningTransaction {

  private static final QuietLog LOG =
      new QuietLog(RunningTransaction.class, "transactions", TimeSource.system());

  private final Connection connection;
  private final Database database;
  private final TransactionBounds bounds;
  private final GuardedConnection guarded;
  private final boolean autoCommit;
  private final AfterCommit afterCommit = new AfterCommit();
  private final List<InboxProof> remembered = new ArrayList<>();
  private boolean joinedWorkFailed;
  private @Nullable StoreException refused;
  private @Nullable SQLException met;
  private boolean ended;
  private volatile boolean over;

  /** The connection's own limit for waits, in milliseconds; null where it was not changed. */
  private @Nullable Integer ownWaitMillis;

  RunningTransaction(Connection connection, Database database, TransactionBounds bounds) {
    this.connection = connection;
    this.database = database;
    this.bounds = bounds;
    this.guarded = ConnectionGuard.around(connection, this);
    this.autoCommit = begin();
  }

  Connection connection() {
    return guarded;
  }

  void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  /**
   * Limits how long each answer of the server is waited for, also that to the commit. A driver that
   * cannot do it waits as before.
   */
  void limitWaits(Duration longest) throws SQLException {
    int millis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, longest.toMillis()));
    try {
      int own = connection.getNetworkTimeout();
      if (own == 0 || own > millis) {
        connection.setNetworkTimeout(Runnable::run, millis);
        ownWaitMillis = own;
      }
    } catch (SQLFeatureNotSupportedException e) {
      LOG.fails(
          Level.DEBUG, "limit", () -> "the driver cannot limit how long it waits for an answer", e);
    }
  }

  /** Notes what an inbox has inserted; the commit will make sure of it. */
  void remembered(InboxProof proof) {
    remembered.add(proof);
  }

  /**
   * Returns the exception for a call that the work may not make. The transaction will not commit:
   * work that wanted it undone must not see it done because it caught the exception.
   */
  StoreException refused(String call) {
    StoreException refusal = ConnectionGuard.refusal(call);
    refused = refusal;
    return refusal;
  }

  /**
   * Notes that a call of the work has failed on this connection. One that fails because another has
   * failed before it tells nothing new.
   */
  void met(SQLException failure) {
    if (met == null || database.errors().classOf(failure) != ErrorClass.TRANSACTION_FAILED) {
      met = failure;
    }
    try {
      bounds.afterFailure(connection, failure);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Returns the last failure that the work has met on this connection; null where there is none.
   */
  @Nullable SQLException met() {
    return met;
  }

  /** Refuses calls after the transaction, when the pool may have lent the connection again. */
  void requireNotOver() {
    if (over) {
      throw OpenTransaction.missing("use this connection", "its transaction has ended");
    }
  }

  <R extends @Nullable Object, X extends Exception> R join(JdbcTransactions.Call<R, X> work)
      throws X {
    boolean returned = false;
    try {
      R result = work.call(guarded);
      returned = true;
      return result;
    } finally {
      joinedWorkFailed |= !returned;
    }
  }

  void commit() {
    if (refused != null) {
      throw refused;
    }
    if (joinedWorkFailed) {
      throw new StoreException(
          ErrorCode.STORE_FAILED,
          "the transaction was rolled back because work that joined it failed and the exception was"
              + " caught; let the exception propagate, or run that work outside the transaction");
    }
    if (remembered.isEmpty()) {
      requireIntact();
    }
    try {
      commitOnServer();
      ended = true;
    } catch (SQLException e) {
      throw WriteFailure.isConnection(database.errors(), e)
          ? new StoreException(
              ErrorCode.STORE_UNAVAILABLE,
              "the outcome of the commit is unknown because the connection was lost during it;"
                  + " Outledger does not retry. Check whether the transaction took effect",
              e)
          : WriteFailure.of(database.errors(), e, "commit the transaction");
    }
  }

  private void commitOnServer() throws SQLException {
    if (remembered.isEmpty()) {
      bounds.commit(connection);
      return;
    }
    try {
      remembered.get(0).commit(connection, remembered.subList(1, remembered.size()));
    } catch (SQLException e) {
      if (WriteFailure.isConnection(database.errors(), e)) {
        remembered.clear(); // it may have committed, and then what it remembers must stay
      }
      throw e;
    }
    remembered.clear();
  }

  // Work that caught a statement's exception must not look committed: a consumer would acknowledge
  // what never took effect. The commit of an inbox makes sure by itself.
  private void requireIntact() {
    try {
      bounds.requireIntact(connection);
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "commit the transaction");
    }
  }

  void rollBack(Throwable failure) {
    try {
      bounds.rollBack(connection);
      for (InboxProof each : remembered) {
        each.forgetIfCommitted(connection);
      }
      if (!remembered.isEmpty()) {
        bounds.rollBack(connection); // asking what became of a transaction has begun another
      }
      ended = true;
    } catch (SQLException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Ends the connection at once, for another thread; no use once the transaction is over. */
  synchronized void cut() {
    try {
      if (!over) {
        connection.abort(Runnable::run);
      }
    } catch (SQLException | RuntimeException e) {
      LOG.fails(Level.WARN, "cut", () -> "could not end a connection whose work is given up", e);
    }
  }

  private synchronized void over() {
    over = true;
  }

  /** Gives the connection back as it came. What became of the transaction is decided by now. */
  void close() {
    over();
    try (connection) {
      if (!ended) {
        // A pool must not lend it again with a transaction open, and to change its mode would
        // commit. The server forgets the transaction with its session.
        connection.abort(Runnable::run);
        return;
      }
      bounds.restore(connection, autoCommit);
      if (ownWaitMillis != null) {
        connection.setNetworkTimeout(Runnable::run, ownWaitMillis);
      }
    } catch (SQLException | RuntimeException e) {
      LOG.fails(
          Level.WARN,
          "return",
          () -> "could not return a connection to its pool after the transaction ended",
          e);
    }
  }

  /** Runs the hooks. The transaction stands, whatever they throw. */
  void committed() {
    afterCommit.run();
  }

  private boolean begin() {
    boolean begun = false;
    try {
      boolean autoCommit = connection.getAutoCommit();
      bounds.begin(connection);
      begun = true;
      return autoCommit;
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "begin a transaction");
    } finally {
      if (!begun) {
        giveBack(connection);
      }
    }
  }

  /** Gives back a connection over which no transaction was begun. */
  static void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      LOG.fails(
          Level.WARN,
          "close",
          () -> "could not close a connection on which no transaction could begin",
          e);
    }
  }
}
