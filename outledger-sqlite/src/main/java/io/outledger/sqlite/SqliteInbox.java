// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxConsumers;
import io.outledger.jdbc.spi.InboxKey;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.InboxTable;
import io.outledger.jdbc.sql.MarkedInboxProof;
import io.outledger.jdbc.sql.MarkedInboxProof.Rows;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Remembers ids on SQLite. It waits for whoever writes before it looks, so nobody else is inserting
 * the same id; a transaction that had read before another one wrote fails, which is a race.
 */
final class SqliteInbox implements InboxTable {

  // The primary key.
  private static final String INSERT =
      """
      INSERT INTO {schema}.outledger_inbox (consumer_no, message_hash, proof) VALUES (?, ?, ?)
          ON CONFLICT (consumer_no, message_hash) DO NOTHING\
      """;

  private final Tables tables;
  private final WriteLock lock;
  private final InboxConsumers consumers;

  SqliteInbox(Tables tables) {
    this.tables = tables;
    this.lock = new WriteLock(tables);
    this.consumers = new InboxConsumers(tables);
  }

  @Override
  public Optional<InboxProof> insert(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    lock.take(transaction);
    UUID proof = newProof(transaction);
    InboxKeys keys = keys(transaction, consumer, ids);
    Set<InboxId> fresh = new HashSet<>();
    for (InboxKey key : keys.all()) {
      if (Sql.in(tables, transaction, INSERT, key.consumerNo(), key.hash(), proof).update() > 0) {
        fresh.add(keys.idOf(key.hash()));
      }
    }
    if (fresh.isEmpty()) {
      return Optional.empty();
    }
    InboxKeys inserted = keys.of(fresh);
    consumers.tell(transaction, proof.toString(), consumer, inserted);
    return Optional.of(
        new MarkedInboxProof(
            SqliteBounds.WRITING, proof, consumer, fresh, new Rows(inserted, tables)));
  }

  private UUID newProof(Connection transaction) throws SQLException {
    return Sql.in(tables, transaction, "SELECT randomblob(16)")
        .first(row -> tables.values().uuid(row, 1))
        .orElseThrow();
  }

  InboxKeys keys(Connection transaction, String consumer, Collection<InboxId> ids)
      throws SQLException {
    return consumers.keys(transaction, consumer, ids);
  }

  void lock(Connection transaction) throws SQLException {
    lock.take(transaction);
  }
}
