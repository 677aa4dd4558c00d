// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.UserTransaction;
import java.util.ArrayList;
import java.util.List;
import javax.transaction.xa.XAResource;
import org.hibernate.engine.transaction.jta.platform.spi.JtaPlatform;
import org.jspecify.annotations.Nullable;

/**
 * JTA for one thread, without resources: it calls synchronisations, and hides why one of them has
 * failed, as some transaction managers do.
 */
final class OneThreadJta implements JtaPlatform, TransactionManager, Transaction {

  private static final long serialVersionUID = 1;

  private final transient List<Synchronization> synchronizations = new ArrayList<>();
  private int status = Status.STATUS_NO_TRANSACTION;

  @Override
  public void begin() {
    status = Status.STATUS_ACTIVE;
  }

  @Override
  public void commit() throws RollbackException {
    try {
      List.copyOf(synchronizations).forEach(Synchronization::beforeCompletion);
    } catch (RuntimeException e) {
      status = Status.STATUS_MARKED_ROLLBACK;
    }
    boolean committed = status == Status.STATUS_ACTIVE;
    end(committed ? Status.STATUS_COMMITTED : Status.STATUS_ROLLEDBACK);
    if (!committed) {
      throw new RollbackException("rolled back");
    }
  }

  @Override
  public void rollback() {
    end(Status.STATUS_ROLLEDBACK);
  }

  private void end(int outcome) {
    status = outcome;
    List.copyOf(synchronizations).forEach(each -> each.afterCompletion(outcome));
    synchronizations.clear();
    status = Status.STATUS_NO_TRANSACTION;
  }

  @Override
  public void setRollbackOnly() {
    status = Status.STATUS_MARKED_ROLLBACK;
  }

  @Override
  public int getStatus() {
    return status;
  }

  @Override
  public int getCurrentStatus() {
    return status;
  }

  @Override
  public Transaction getTransaction() {
    return this;
  }

  @Override
  public void registerSynchronization(Synchronization synchronization) {
    synchronizations.add(synchronization);
  }

  @Override
  public boolean canRegisterSynchronization() {
    return status == Status.STATUS_ACTIVE;
  }

  @Override
  public TransactionManager retrieveTransactionManager() {
    return this;
  }

  @Override
  public UserTransaction retrieveUserTransaction() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object getTransactionIdentifier(Transaction transaction) {
    return transaction;
  }

  @Override
  public boolean enlistResource(XAResource resource) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean delistResource(XAResource resource, int flag) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void resume(Transaction transaction) {
    // There is one only.
  }

  @Override
  public @Nullable Transaction suspend() {
    return status == Status.STATUS_NO_TRANSACTION ? null : this;
  }

  @Override
  public void setTransactionTimeout(int seconds) {}
}
