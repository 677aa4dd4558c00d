// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.inbox.InboxId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * The inbox records of a transaction, and the proof that this very transaction is the one that
 * commits. Work that ends its transaction by a statement of its own, and continues in the next one,
 * would otherwise lose the message: its effects partly gone, its ids remembered with or without
 * them, and the sender told that all is done. Used by one thread.
 */
public interface InboxProof {

  /** Returns the ids that were new, at least one. */
  Set<InboxId> ids();

  /**
   * Commits the transaction, where it is still the one that inserted the ids.
   *
   * @param connection the one of the transaction, which {@link TransactionBounds#begin} began
   * @param others the proofs that were made over the connection after this one, in their order
   * @throws io.outledger.StoreException {@code OUT-030} if it is another transaction by now, or
   *     none, or if others are of another one; nothing was committed
   * @throws SQLException if the database failed, or would roll back because a statement of the
   *     transaction had failed before
   */
  void commit(Connection connection, List<InboxProof> others) throws SQLException;

  /**
   * Deletes the ids where the work had committed them by itself and then failed, and commits that:
   * they must be new when they come again. Where the work has prepared its transaction, that is
   * rolled back: else whoever inserts the ids again would wait for it. Called after a roll-back.
   *
   * @throws SQLException if the database failed
   */
  void forgetIfCommitted(Connection connection) throws SQLException;
}
