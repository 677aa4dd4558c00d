// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.sql.Connection;

/**
 * What is done in a transaction.
 *
 * @param <X> what it may throw; the transaction is then rolled back
 */
@FunctionalInterface
public interface TransactionWork<X extends Exception> {

  /** Does it. The connection must not be committed, rolled back or closed. */
  void run(Connection connection) throws X;
}
