// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.StoreFailure;
import io.outledger.jdbc.spi.TransactionBounds;
import java.sql.Connection;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A small transaction manager for plain JDBC. A transaction belongs to the thread that runs it; it
 * is committed when the work returns, and rolled back when the work throws anything.
 *
 * <p>Used inside a running transaction of the same thread, {@link #run} and {@link #call} join it,
 * with the same connection. If joined work throws, the whole transaction is bound to roll back,
 * even where the exception is caught on the way: its end then throws {@code OUT-027}.
 *
 * <p>Nothing is ever tried again by this class. Where the connection is lost during the commit, the
 * outcome is unknown, and {@code OUT-016} says so: look the message's id up, or have the same work
 * done again behind an inbox.
 *
 * <p>Once the {@link Outledger} it comes from is closed, no transaction begins ({@code OUT-026}); a
 * running one may finish. Thread-safe.
 */
public final class JdbcTransactions implements Transactions {

  private static final int ANSWER_SECONDS = 5;

  private final DataSource dataSource;
  private final OpenState openState;
  private volatile @Nullable Database database;

  // Not static: a thread may run one transaction of each data source. It is always removed at the
  // end.
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable RunningTransaction> running = new ThreadLocal<>();

  /**
   * Creates it. The first transaction finds out what database it is.
   *
   * @param dataSource where connections come from, one for each transaction; a pool of one will do
   */
  public JdbcTransactions(DataSource dataSource) {
    this.dataSource = Require.nonNull("dataSource", dataSource);
    this.openState = new OpenState();
  }

  JdbcTransactions(DataSource dataSource, Database database, OpenState openState) {
    this.dataSource = dataSource;
    this.database = database;
    this.openState = openState;
  }

  /**
   * Runs work in a transaction.
   *
   * @throws X what the work throws, after the roll-back; what fails on the way is suppressed in it
   * @throws StoreException {@code OUT-016} if no connection can be had, or the commit's outcome is
   *     unknown; {@code OUT-026} if the {@link Outledger} it comes from is closed; {@code OUT-027}
   *     if the database refused the commit: nothing took effect
   */
  public <X extends Exception> void run(Work<X> work) throws X {
    Require.nonNull("work", work);
    call(withResult(work));
  }

  /** Runs work that has a result; see {@link #run}. */
  public <R extends @Nullable Object, X extends Exception> R call(Call<R, X> work) throws X {
    Require.nonNull("work", work);
    RunningTransaction outer = running.get();
    return outer == null ? callNew(work) : outer.join(work);
  }

  @Override
  public Connection connection() {
    return current("use a transaction").connection();
  }

  @Override
  public void afterCommit(Runnable action) {
    Require.nonNull("action", action);
    current("register a hook for after the commit").afterCommit(action);
  }

  /** Returns whether the running transaction, if any, is the one of a connection. */
  boolean runsOn(Connection connection) {
    RunningTransaction transaction = running.get();
    return transaction != null && transaction.connection() == connection;
  }

  /** Runs work in a transaction of its own; see {@link #callHandling}. */
  <X extends Exception> void runHandling(Work<X> work) throws X {
    callHandling(withResult(work));
  }

  /** Runs work that has a result in a transaction of its own, which does not join a running one. */
  <R extends @Nullable Object, X extends Exception> R callNew(Call<R, X> work) throws X {
    return callIn(Database::transactionBounds, work);
  }

  /**
   * Runs work in a transaction of its own in which Outledger looks at what others have committed,
   * and a handler works: at READ COMMITTED, see {@link Database#handlingBounds}.
   */
  <R extends @Nullable Object, X extends Exception> R callHandling(Call<R, X> work) throws X {
    return callIn(Database::handlingBounds, work);
  }

  private <R extends @Nullable Object, X extends Exception> R callIn(
      Function<Database, TransactionBounds> bounds, Call<R, X> work) throws X {
    RunningTransaction outer = running.get();
    RunningTransaction transaction = begin(bounds);
    running.set(transaction);
    R result;
    try {
      result = transaction.join(work);
      transaction.commit();
    } catch (Throwable failure) {
      transaction.rollBack(failure);
      throw failure;
    } finally {
      restore(outer);
      transaction.close();
    }
    transaction.committed();
    return result;
  }

  private static <X extends Exception> Call<Boolean, X> withResult(Work<X> work) {
    return connection -> {
      work.run(connection);
      return Boolean.TRUE;
    };
  }

  /** Says whether the database answers over another connection. */
  boolean databaseAnswers() {
    try {
      return callNew(connection -> connection.isValid(ANSWER_SECONDS));
    } catch (Exception e) {
      return false; // that it does not answer is told by the failure that made somebody ask
    }
  }

  private RunningTransaction begin(Function<Database, TransactionBounds> bounds) {
    openState.require("begin a transaction");
    Connection connection = StoreFailure.connection(dataSource, "a transaction");
    Database known = database;
    if (known == null) {
      try {
        known = Databases.find(connection);
      } catch (Throwable e) { // of a provider that cannot be loaded, too
        RunningTransaction.giveBack(connection);
        throw e;
      }
      database = known;
    }
    return new RunningTransaction(connection, known, bounds.apply(known));
  }

  private void restore(@Nullable RunningTransaction outer) {
    if (outer == null) {
      running.remove();
    } else {
      running.set(outer);
    }
  }

  private RunningTransaction current(String doing) {
    RunningTransaction transaction = running.get();
    if (transaction == null) {
      throw OpenTransaction.missing(doing, "none is active on this thread");
    }
    return transaction;
  }

  /**
   * Work to be done in a transaction.
   *
   * @param <X> what it may throw; the transaction is then rolled back
   */
  @FunctionalInterface
  public interface Work<X extends Exception> {

    /** Does it. The connection must not be committed, rolled back or closed. */
    void run(Connection connection) throws X;
  }

  /**
   * Work to be done in a transaction, with a result.
   *
   * @param <R> the result
   * @param <X> what it may throw; the transaction is then rolled back
   */
  @FunctionalInterface
  public interface Call<R extends @Nullable Object, X extends Exception> {

    /** Does it. The connection must not be committed, rolled back or closed. */
    R call(Connection connection) throws X;
  }
}
