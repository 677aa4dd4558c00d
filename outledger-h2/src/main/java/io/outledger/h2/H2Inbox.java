// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxConsumers;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.InboxTable;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Remembers ids on H2. A statement that meets an id which another transaction is inserting waits
 * for it, and fails as a duplicate once that one has committed; executed again, it passes over the
 * id. At an isolation level above READ COMMITTED it would never see it, which is a race.
 */
final class H2Inbox implements InboxTable {

  // The primary key. The ids are sorted, so that two batches with the same ids wait for each other
  // and do not deadlock.
  private static final String INSERT =
      """
      SELECT fresh.message_hash FROM FINAL TABLE (
        INSERT INTO {schema}.outledger_inbox (consumer_no, message_hash, proof)
        SELECT m.consumer_no, m.hash, CAST(? AS UUID)
          FROM UNNEST(CAST(? AS INTEGER ARRAY), CAST(? AS UUID ARRAY)) WITH ORDINALITY
               AS m (consumer_no, hash, n)
         WHERE NOT EXISTS (
               SELECT 1 FROM {schema}.outledger_inbox i
                WHERE i.consumer_no = m.consumer_no AND i.message_hash = m.hash)
         ORDER BY m.n) fresh\
      """;
  private static final int ATTEMPTS_MAX = 20;
  private static final String RACE = "40001";

  private final String insert;
  private final Tables tables;
  private final InboxConsumers consumers;

  H2Inbox(Tables tables) {
    this.insert = tables.in(INSERT);
    this.consumers = new InboxConsumers(tables);
    this.tables = tables;
  }

  @Override
  public Optional<InboxProof> insert(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    UUID proof =
        Sql.of(transaction, "SELECT RANDOM_UUID()")
            .first(row -> row.getObject(1, UUID.class))
            .orElseThrow();
    InboxKeys keys = keys(transaction, consumer, new TreeSet<>(ids));
    Set<InboxId> fresh = fresh(transaction, keys, proof);
    if (fresh.isEmpty()) {
      return Optional.empty();
    }
    String transactionId = InboxRecord.transactionId(transaction);
    InboxKeys inserted = keys.of(fresh);
    consumers.tell(transaction, transactionId, consumer, inserted);
    return Optional.of(new InboxRecord(transactionId, proof, consumer, fresh, inserted, tables));
  }

  InboxKeys keys(Connection transaction, String consumer, Collection<InboxId> ids)
      throws SQLException {
    return consumers.keys(transaction, consumer, ids);
  }

  private Set<InboxId> fresh(Connection transaction, InboxKeys keys, UUID proof)
      throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        return new HashSet<>(
            Sql.of(transaction, insert, proof, keys.numbers(), keys.hashes())
                .rows(row -> keys.idOf(row.getObject(1, UUID.class))));
      } catch (SQLException e) {
        if (!H2Errors.isDuplicate(e)) {
          throw e;
        }
        if (attempt > Math.max(ATTEMPTS_MAX, keys.all().size())
            || transaction.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED) {
          throw new SQLTransactionRollbackException(
              "another transaction has processed the same message", RACE, e);
        }
      }
    }
  }
}
