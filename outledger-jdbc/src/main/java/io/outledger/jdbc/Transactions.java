// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.sql.Connection;

/**
 * An outbox's view of a transaction manager: which transaction is running, and when it has
 * committed. {@link JdbcTransactions} is one for plain JDBC; Spring, JTA and jOOQ have their own.
 * Thread-safe.
 */
public interface Transactions {

  /**
   * Returns the connection of the running transaction. It belongs to that transaction: it is not
   * closed, committed or rolled back by the caller that requested it.
   *
   * @throws io.outledger.StoreException {@code OUT-001} if no transaction is running
   */
  Connection connection();

  /**
   * Has something done once the running transaction has committed, and never if it does not. What
   * it throws must not make the transaction look failed.
   *
   * @param action what to do; cheap, it holds the caller up
   * @throws io.outledger.StoreException {@code OUT-001} if no transaction is running
   */
  void afterCommit(Runnable action);
}
