// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.quarkus;

import io.agroal.api.AgroalDataSource;
import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.jdbc.AfterCommit;
import io.outledger.jdbc.Transactions;
import jakarta.inject.Singleton;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The transactions of JTA, as an outbox sees them: what it appends joins the {@code @Transactional}
 * method that runs. Thread-safe.
 */
@Singleton
final class JtaTransactions implements Transactions {

  private final AgroalDataSource database;
  private final TransactionManager manager;
  private final TransactionSynchronizationRegistry registry;

  JtaTransactions(
      AgroalDataSource database,
      TransactionManager manager,
      TransactionSynchronizationRegistry registry) {
    this.database = database;
    this.manager = manager;
    this.registry = registry;
  }

  @Override
  public Connection connection() {
    return running("use a transaction").connection();
  }

  @Override
  public void afterCommit(Runnable action) {
    running("do something after a commit").committed().add(action);
  }

  private Running running(String doing) {
    try {
      Transaction transaction = manager.getTransaction();
      if (transaction == null || transaction.getStatus() != Status.STATUS_ACTIVE) {
        throw new StoreException(
            ErrorCode.NO_TRANSACTION,
            "cannot "
                + doing
                + ": none is active on this thread; call it from a @Transactional"
                + " method of another bean");
      }
      if (registry.getResource(this) instanceof Running known) {
        return known;
      }
      // Agroal hands out the connection of the transaction, however often it is asked.
      Running begun = new Running(database.getConnection(), new AfterCommit());
      registry.putResource(this, begun);
      transaction.registerSynchronization(begun);
      return begun;
    } catch (SQLException | SystemException | RollbackException e) {
      throw new StoreException(ErrorCode.STORE_UNAVAILABLE, "cannot " + doing, e);
    }
  }

  /** What belongs to one transaction. */
  private record Running(Connection connection, AfterCommit committed) implements Synchronization {

    /** Gives the connection back, which Agroal keeps for the transaction. */
    @Override
    public void beforeCompletion() {
      try {
        connection.close();
      } catch (SQLException e) {
        throw new StoreException(
            ErrorCode.STORE_UNAVAILABLE, "cannot give a connection back to its pool", e);
      }
    }

    @Override
    public void afterCompletion(int status) {
      if (status == Status.STATUS_COMMITTED) {
        committed.run();
      }
    }
  }
}
