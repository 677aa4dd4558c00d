// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import java.util.Set;

/**
 * Where an inbox remembers ids, in the caller's transaction. Thread-safe.
 *
 * <p>An id that another open transaction is inserting is waited for: if that one commits, the id is
 * not new; if it rolls back, it is. An isolation level that cannot tell (a snapshot taken before
 * the other one committed) ends in an exception, never in both being new.
 *
 * @param <T> the handle of a transaction, such as a JDBC connection
 */
public interface InboxStore<T> {

  /**
   * Inserts ids that are not remembered yet, all in one statement.
   *
   * @param transaction the caller's open transaction, which is neither committed nor rolled back
   * @param consumer the name of the consumer that processes them
   * @param ids the ids
   * @return those of them that are new; they are forgotten again if the transaction rolls back
   * @throws io.outledger.StoreException if the database failed, or asks to try the transaction
   *     again; roll it back
   */
  Set<InboxId> insert(T transaction, String consumer, Set<InboxId> ids);
}
