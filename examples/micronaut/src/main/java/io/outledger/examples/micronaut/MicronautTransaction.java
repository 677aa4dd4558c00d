// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.micronaut;

import io.micronaut.transaction.SynchronousTransactionManager;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionStatus;
import io.outledger.jdbc.FrameworkTransaction;
import java.sql.Connection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A transaction of Micronaut in which one message is handled: what the handler calls joins it. */
final class MicronautTransaction implements FrameworkTransaction {

  private final SynchronousTransactionManager<Connection> manager;
  private @Nullable TransactionStatus<Connection> status;

  MicronautTransaction(SynchronousTransactionManager<Connection> manager) {
    this.manager = manager;
  }

  @Override
  public Connection begin() {
    TransactionStatus<Connection> begun =
        manager.getTransaction(
            TransactionDefinition.of(TransactionDefinition.Propagation.REQUIRES_NEW));
    status = begun;
    return begun.getConnection();
  }

  // This application registers nothing that runs before a commit and could fail there.
  @Override
  public void commit(Runnable failing) {
    manager.commit(Objects.requireNonNull(status));
  }

  @Override
  public void rollBack(Throwable failure) {
    try {
      manager.rollback(Objects.requireNonNull(status));
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}
