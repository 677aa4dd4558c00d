// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.quarkus;

import io.outledger.jdbc.FrameworkTransaction;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import java.sql.Connection;

/** A transaction of JTA in which one message is handled: what the handler calls joins it. */
final class JtaTransaction implements FrameworkTransaction {

  private final TransactionManager manager;
  private final JtaTransactions transactions;

  JtaTransaction(TransactionManager manager, JtaTransactions transactions) {
    this.manager = manager;
    this.transactions = transactions;
  }

  @Override
  public Connection begin() throws Exception {
    manager.begin();
    try {
      return transactions.connection();
    } catch (RuntimeException e) {
      rollBack(e);
      throw e;
    }
  }

  // This application registers nothing that runs before a commit and could fail there.
  @Override
  public void commit(Runnable failing) throws Exception {
    manager.commit();
  }

  @Override
  public void rollBack(Throwable failure) {
    try {
      manager.rollback();
    } catch (SystemException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}
