// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Transactions in which an operator reads or changes something. Each states all that it relies on,
 * whatever the pool or the database has for defaults, and leaves its connection as it was.
 * Thread-safe.
 */
public interface OperatorTransactions {

  /** What a transaction is for. */
  enum Kind {
    /** Reads. */
    READS,
    /** Changes something, in one step that is meant to be short. */
    CHANGES,
    /** Walks through the whole ledger and holds nothing meanwhile. */
    WALKS
  }

  /**
   * Runs the work in a transaction of its own and commits; rolls back where it throws anything.
   * Where it met another transaction in a way that doing it again will cure, it is done again.
   *
   * @param doing what it does, for the error's text, such as {@code moving subscription kafka}
   * @throws io.outledger.StoreException if the database failed; nothing has changed then, unless
   *     the connection was lost during the commit
   */
  <T> T run(Kind kind, String doing, Work<T> work);

  /**
   * What is done.
   *
   * @param <T> its result
   */
  @FunctionalInterface
  interface Work<T> {

    /**
     * Does it; it may be called again.
     *
     * @throws SQLException if the database failed
     */
    T on(Connection transaction) throws SQLException;
  }
}
