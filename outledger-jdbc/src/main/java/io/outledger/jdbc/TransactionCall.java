// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * What is done in a transaction, with a result.
 *
 * @param <R> the result
 * @param <X> what it may throw; the transaction is then rolled back
 */
@FunctionalInterface
public interface TransactionCall<R extends @Nullable Object, X extends Exception> {

  /** Does it. The connection must not be committed, rolled back or closed. */
  R call(Connection connection) throws X;
}
