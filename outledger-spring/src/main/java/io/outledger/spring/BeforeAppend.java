// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

/**
 * Work to be done just before a transaction's messages are appended: after every {@code
 * TransactionSynchronization} and before the commit. The persistence context is still bound, so it
 * can be flushed here, and what the flush reveals can be appended to a {@link SpringOutbox}.
 *
 * <p>It is called in every read-write transaction of the data source, also in one that has appended
 * nothing so far. If it appends something, all steps are called again, until a round appends
 * nothing. What it throws rolls the transaction back.
 *
 * <p>Thread-safe: transactions on several threads call it at the same time.
 */
@FunctionalInterface
public interface BeforeAppend {

  /** Does it, on the transaction's thread. */
  void beforeAppend();

  /**
   * Called at each call of {@link SpringOutbox#append}, on the transaction's thread, before what is
   * appended takes its place in the order: what was raised before may take its own. It appends
   * nothing. What it throws reaches the caller, and nothing is appended.
   */
  default void atEachAppend() {
    // Most have nothing whose place could be taken.
  }

  /**
   * Called when the transaction has set a savepoint. It appends nothing.
   *
   * @return what to do if the transaction is rolled back to it, on the same thread
   */
  default Runnable atSavepoint() {
    return () -> {}; // most keep nothing
  }
}
