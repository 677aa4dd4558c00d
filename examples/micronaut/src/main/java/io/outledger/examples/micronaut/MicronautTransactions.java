// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.micronaut;

import io.micronaut.transaction.SynchronousTransactionManager;
import io.micronaut.transaction.TransactionStatus;
import io.micronaut.transaction.support.TransactionSynchronization;
import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.jdbc.AfterCommit;
import io.outledger.jdbc.Transactions;
import jakarta.inject.Singleton;
import java.sql.Connection;

/**
 * The transactions of Micronaut, as an outbox sees them: what it appends joins the
 * {@code @Transactional} method that runs. Thread-safe.
 */
@Singleton
final class MicronautTransactions implements Transactions {

  private final SynchronousTransactionManager<Connection> manager;

  MicronautTransactions(SynchronousTransactionManager<Connection> manager) {
    this.manager = manager;
  }

  @Override
  public Connection connection() {
    running("use a transaction");
    return manager.getConnection();
  }

  @Override
  public void afterCommit(Runnable action) {
    AfterCommit committed = new AfterCommit();
    committed.add(action);
    running("do something after a commit")
        .registerSynchronization(
            new TransactionSynchronization() {
              @Override
              public void afterCommit() {
                committed.run();
              }
            });
  }

  private TransactionStatus<?> running(String doing) {
    return manager
        .findTransactionStatus()
        .orElseThrow(
            () ->
                new StoreException(
                    ErrorCode.NO_TRANSACTION,
                    "cannot "
                        + doing
                        + ": none is active on this thread; call it from a"
                        + " @Transactional method of another bean"));
  }
}
