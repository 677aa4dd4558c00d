// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.FrameworkTransaction;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A transaction of Spring's in which one message is handled. For one thread. */
final class SpringTransaction implements FrameworkTransaction {

  private final HandlerRoute.Parts parts;
  private @Nullable TransactionStatus status;

  SpringTransaction(HandlerRoute.Parts parts) {
    this.parts = parts;
  }

  @Override
  public Connection begin() {
    TransactionStatus begun =
        parts
            .manager()
            .getTransaction(
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
    status = begun;
    try {
      return parts.transactions().connection();
    } catch (Throwable failure) {
      rollBack(failure);
      throw failure;
    }
  }

  @Override
  public void commit(Runnable failing) {
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(new BeforeTheCommit(failing));
    }
    parts.manager().commit(begun());
  }

  /**
   * Knows whether all callbacks before the commit have returned, since it is the last of them.
   * Where one has thrown, Spring calls one of the other two while the connection is still there:
   * the second where it takes what was thrown for a failure of the commit.
   */
  private static final class BeforeTheCommit implements TransactionSynchronization {

    private final Runnable failing;
    private boolean isOver;

    private BeforeTheCommit(Runnable failing) {
      this.failing = failing;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
      isOver = true;
    }

    @Override
    public void beforeCompletion() {
      tell();
    }

    @Override
    public void afterCompletion(int status) {
      tell();
    }

    private void tell() {
      if (!isOver) {
        isOver = true;
        failing.run();
      }
    }
  }

  @Override
  public void rollBack(Throwable failure) {
    try {
      parts.manager().rollback(begun());
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private TransactionStatus begun() {
    if (status == null) {
      throw new IllegalStateException("the transaction was not begun");
    }
    return status;
  }
}
