// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.InboxStore;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.InboxProof;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/**
 * Remembers ids in the caller's transaction. Where {@link JdbcTransactions} runs it, the commit
 * learns what it has to prove. Thread-safe.
 */
final class InboxRows implements InboxStore<Connection> {

  private final Database database;

  InboxRows(Database database) {
    this.database = database;
  }

  @Override
  public Set<InboxId> insert(Connection transaction, String consumer, Set<InboxId> ids) {
    String doing = "remember " + ids.size() + " ids of consumer " + consumer;
    try {
      OpenTransaction.require(transaction, doing);
      if (ids.isEmpty()) {
        return Set.of();
      }
      Optional<InboxProof> proof = database.inbox().insert(transaction, consumer, ids);
      if (proof.isPresent()) {
        remember(transaction, proof.get());
      }
      return proof.map(InboxProof::ids).orElse(Set.of());
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, doing);
    }
  }

  /** Tells the transaction what its commit has to prove, where it is one of Outledger's own. */
  static void remember(Connection transaction, InboxProof proof) throws SQLException {
    if (transaction.isWrapperFor(GuardedConnection.class)) {
      transaction.unwrap(GuardedConnection.class).running().remembered(proof);
    }
  }
}
