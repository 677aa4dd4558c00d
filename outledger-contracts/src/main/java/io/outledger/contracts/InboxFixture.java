// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.inbox.InboxStore;

/**
 * One database with an empty inbox. Opened for each test; thread-safe, a transaction is used by one
 * thread at a time.
 *
 * @param <T> the handle of a transaction, such as a JDBC connection
 */
public interface InboxFixture<T> {

  /** Returns the store, always the same one. */
  InboxStore<T> store();

  /** Begins a transaction; up to eight are open at once. */
  T begin();

  /**
   * Commits a transaction, and gives up its handle.
   *
   * @throws RuntimeException where it could not be committed, after which it is rolled back
   */
  void commit(T transaction);

  /** Rolls a transaction back, whatever state it is in, and gives up its handle. */
  void rollback(T transaction);

  /** Returns how many transactions may have written at the same time. */
  default DatabaseFixture.Writers writers() {
    return DatabaseFixture.Writers.SEVERAL;
  }

  /** Ends what is open, and removes what was made. */
  void close() throws Exception;
}
