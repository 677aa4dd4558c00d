// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.FrameworkTransaction;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

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
  public void commit() {
    parts.manager().commit(begun());
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
