// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.inbox.InboxId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Remembers the ids that consumers have processed, in the caller's transaction. Thread-safe. */
public interface InboxTable {

  /**
   * Inserts those ids that the consumer has not processed before, in one statement. An id that
   * another transaction is inserting at the same time is waited for: where that one commits, the id
   * is not new. Two transactions that insert several of the same ids do not deadlock.
   *
   * <p>At an isolation level at which the wait must end in a failure, it throws an exception of
   * class {@link ErrorClass#RACE}.
   *
   * @param transaction the connection of the caller's transaction, not in auto-commit mode
   * @param consumer whose ids they are
   * @param ids one or more
   * @return the ids that were new, with the proof for their commit; empty where none was
   * @throws SQLException if the database failed: the caller rolls back
   */
  Optional<InboxProof> insert(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException;
}
