// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions of one data source, as Spring's transaction managers run them. It must be a
 * listener of every manager of that data source; the starters add it. Elsewhere:
 *
 * <pre>{@code
 * var transactions = new SpringTransactions(dataSource);
 * transactionManager.addListener(transactions);
 * }</pre>
 *
 * <p>It works with every manager that binds a JDBC connection for the data source: those of JDBC,
 * JPA and Hibernate. JTA is not supported. Thread-safe.
 */
public final class SpringTransactions implements Transactions, TransactionExecutionListener {

  private static final int ANSWER_SECONDS = 5;

  private final DataSource dataSource;
  private final List<BeforeAppend> steps = new CopyOnWriteArrayList<>();

  /** Where it is kept what was begun before a transaction, until that has begun, too. */
  private record BegunBefore(SpringTransactions place, TransactionExecution transaction) {}

  /**
   * Creates it. No connection is opened.
   *
   * @param dataSource the one that the transaction managers were given
   */
  public SpringTransactions(DataSource dataSource) {
    DataSource given = Require.nonNull("dataSource", dataSource);
    DataSource target =
        given instanceof TransactionAwareDataSourceProxy proxy
            ? proxy.getTargetDataSource()
            : given;
    this.dataSource = Require.nonNull("target", target);
  }

  /** Refuses an {@link Outledger} of another data source, behind whatever proxies of Spring's. */
  void requireOf(Outledger outledger) {
    if (!isOf(outledger.dataSource())) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the Outledger is built on another data source than the SpringTransactions, so its tables"
              + " and the messages would be in two places: "
              + outledger.dataSource()
              + " and "
              + dataSource
              + ". Build both on the same DataSource; relays alone may have one of their own,"
              + " relayDataSource");
    }
  }

  private static DataSource innermost(DataSource given) {
    DataSource target =
        given instanceof DelegatingDataSource proxy ? proxy.getTargetDataSource() : null;
    return target == null ? given : innermost(target);
  }

  /** Adds what is done before messages are appended, in the order of these calls. */
  public SpringTransactions beforeAppend(BeforeAppend step) {
    steps.add(Require.nonNull("step", step));
    return this;
  }

  /** Something is about to take its place in the running transaction's order. */
  void appending() {
    steps.forEach(BeforeAppend::atEachAppend);
  }

  /** A savepoint was set; returns what to do if the transaction is rolled back to it. */
  List<Runnable> atSavepoint() {
    return steps.stream().map(BeforeAppend::atSavepoint).toList();
  }

  /** Returns the data source whose transactions these are. */
  public DataSource dataSource() {
    return dataSource;
  }

  /** Returns whether these are the transactions of a data source, behind Spring's own proxies. */
  public boolean isOf(DataSource other) {
    return innermost(Require.nonNull("other", other)) == innermost(dataSource);
  }

  /** Returns whether the data source, behind Spring's own proxies, leads to several databases. */
  public boolean isRouting() {
    return innermost(dataSource) instanceof AbstractRoutingDataSource;
  }

  /** Returns whether a read-write transaction of the data source is running on this thread. */
  public boolean isRunning() {
    return bound() != null;
  }

  @Override
  public Connection connection() {
    DataSource bound = running("use the transaction's connection").dataSource();
    Connection connection = DataSourceUtils.getConnection(bound);
    // The transaction keeps it until its end; only the count of those who use it goes down.
    DataSourceUtils.releaseConnection(connection, bound);
    return connection;
  }

  @Override
  public void afterCommit(Runnable action) {
    Require.nonNull("action", action);
    running("do something after a commit").afterCommit(action);
  }

  /**
   * Notes which persistence contexts have a transaction already: they belong to an outer one, of
   * another data source, which Spring leaves on the thread.
   */
  @Override
  public void beforeBegin(TransactionExecution transaction) {
    PersistenceContexts others = PersistenceContexts.begun();
    BegunBefore key = new BegunBefore(this, transaction);
    if (!others.isEmpty() && !TransactionSynchronizationManager.hasResource(key)) {
      TransactionSynchronizationManager.bindResource(key, others);
    }
  }

  private PersistenceContexts begunBefore(TransactionExecution transaction) {
    Object noted =
        TransactionSynchronizationManager.unbindResourceIfPossible(
            new BegunBefore(this, transaction));
    return noted instanceof PersistenceContexts others ? others : PersistenceContexts.NONE;
  }

  /**
   * Starts to collect where the transaction is one of this data source and may write. A manager
   * that tells it twice, because this was added twice, is heard once.
   */
  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
    PersistenceContexts others = begunBefore(transaction);
    Appends begun = bound();
    if (beginFailure == null
        && (begun == null || !begun.isOf(transaction))
        && transaction.isNewTransaction()
        && !transaction.isReadOnly()
        && TransactionSynchronizationManager.isSynchronizationActive()) {
      DataSource its = dataSourceOf(transaction);
      if (its != null) {
        Appends.begin(this, transaction, its, PersistenceContexts.begun().without(others));
      }
    }
  }

  /**
   * Writes what the transaction has appended; a failure rolls it back. JPA's manager begins to
   * commit even a transaction that can only roll back, which writes nothing and fails. The other
   * managers would commit one that was marked by a callback before the commit: they no longer look.
   */
  @Override
  public void beforeCommit(TransactionExecution transaction) {
    Appends appends = bound();
    if (appends == null || !appends.isOf(transaction)) {
      return;
    }
    appends.commitBegins();
    if (!transaction.isRollbackOnly()) {
      write(appends);
    } else if (!appends.contexts().areMarkedForRollback()) {
      throw new StoreException(
          ErrorCode.STORE_FAILED,
          "a callback before the commit has marked the transaction as one that can only roll back,"
              + " so it is rolled back: neither its rows nor its messages are written");
    }
  }

  /** Rolls back what takes part in a transaction and is still open. */
  void rollBack(Appends appends) {
    DataSource bound = appends.dataSource();
    if (appends.contexts().rollBack() || !TransactionSynchronizationManager.hasResource(bound)) {
      return;
    }
    Connection connection = DataSourceUtils.getConnection(bound);
    try {
      if (!connection.getAutoCommit()) { // else JPA has ended it already
        connection.rollback();
      }
    } catch (SQLException e) {
      if (isThere(connection)) { // else the server has rolled it back with its session
        throw new StoreException(
            ErrorCode.STORE_FAILED, "the transaction cannot be rolled back", e);
      }
    } finally {
      DataSourceUtils.releaseConnection(connection, bound);
    }
  }

  private static boolean isThere(Connection connection) {
    try {
      return connection.isValid(ANSWER_SECONDS);
    } catch (SQLException e) {
      return false;
    }
  }

  // Spring takes a TransactionException for one of the commit itself, and does not roll back.
  private void write(Appends appends) {
    try {
      appends.write(steps);
    } catch (TransactionException e) {
      throw new StoreException(
          ErrorCode.STORE_FAILED,
          "a step before the append failed in a transaction of its own, so this transaction is"
              + " rolled back: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Returns what a transaction's connection is bound under: this data source, or a proxy in front
   * of the same one, or what is behind it; null where the transaction is of another.
   */
  private @Nullable DataSource dataSourceOf(TransactionExecution transaction) {
    if (!(transaction instanceof DefaultTransactionStatus status)
        || !status.hasTransaction()
        || !(status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc)
        || !jdbc.hasConnectionHolder()) {
      return null;
    }
    ConnectionHolder holder = jdbc.getConnectionHolder();
    if (TransactionSynchronizationManager.getResource(dataSource) == holder) {
      return dataSource;
    }
    return TransactionSynchronizationManager.getResourceMap().entrySet().stream()
        .filter(bound -> bound.getValue() == holder)
        .map(Map.Entry::getKey)
        .filter(DataSource.class::isInstance)
        .map(DataSource.class::cast)
        .filter(this::isOf)
        .findFirst()
        .orElse(null);
  }

  /** Returns whether an entity manager, as it is bound to the thread, takes part in it. */
  boolean isJoinedBy(Object entityManager) {
    Appends appends = bound();
    return appends != null && appends.contexts().contain(entityManager);
  }

  private @Nullable Appends bound() {
    return (Appends) TransactionSynchronizationManager.getResource(this);
  }

  /**
   * Returns the collector of the running transaction, or throws with the reason for its absence.
   */
  Appends running(String doing) {
    Appends appends = bound();
    if (appends != null && appends.isCommitted()) {
      throw missing(
          doing,
          "the transaction has been committed. A listener that runs after the commit needs a"
              + " transaction of its own, such as @Transactional(propagation = REQUIRES_NEW)");
    }
    if (appends != null) {
      return appends;
    }
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw missing(
          doing,
          "no transaction is running on this thread. Call it from a @Transactional method, or"
              + " within a TransactionTemplate; a method of the same class that calls it directly,"
              + " and one that is @Async, does not join the caller's transaction");
    }
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      throw missing(
          doing,
          "the transaction on this thread has ended. A listener that runs after it, such as"
              + " @TransactionalEventListener, needs a transaction of its own:"
              + " @Transactional(propagation = REQUIRES_NEW)");
    }
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw missing(
          doing,
          "the transaction is read-only. Remove readOnly = true from the @Transactional method that"
              + " begins it");
    }
    throw missing(
        doing,
        "the running transaction is not one of this outbox's data source, or its transaction"
            + " manager does not tell Outledger of it. With two data sources, name the manager of"
            + " the outbox's: @Transactional(\"ordersTransactionManager\"). To a manager that is"
            + " not a bean, add the listener: manager.addListener(springTransactions)");
  }

  private static StoreException missing(String doing, String why) {
    return new StoreException(ErrorCode.NO_TRANSACTION, "cannot " + doing + ": " + why);
  }
}
