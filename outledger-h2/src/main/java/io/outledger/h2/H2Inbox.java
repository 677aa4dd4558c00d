// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.InboxTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.HashSet;
import java.util.List;
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
      SELECT fresh.source, fresh.message_id FROM FINAL TABLE (
        INSERT INTO {schema}.outledger_inbox (consumer, source, message_id, proof)
        SELECT CAST(? AS VARCHAR), m.source, m.id, CAST(? AS UUID)
          FROM UNNEST(CAST(? AS VARCHAR ARRAY), CAST(? AS VARCHAR ARRAY)) WITH ORDINALITY
               AS m (source, id, n)
         WHERE NOT EXISTS (
               SELECT 1 FROM {schema}.outledger_inbox i
                WHERE i.consumer = ? AND i.source = m.source AND i.message_id = m.id)
         ORDER BY m.n) fresh\
      """;
  private static final int ATTEMPTS_MAX = 20;
  private static final String RACE = "40001";

  private final String insert;
  private final Tables tables;

  H2Inbox(Tables tables) {
    this.insert = tables.in(INSERT);
    this.tables = tables;
  }

  @Override
  public Optional<InboxProof> insert(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    UUID proof =
        Sql.of(transaction, "SELECT RANDOM_UUID()")
            .first(row -> row.getObject(1, UUID.class))
            .orElseThrow();
    Set<InboxId> fresh = fresh(transaction, consumer, List.copyOf(new TreeSet<>(ids)), proof);
    if (fresh.isEmpty()) {
      return Optional.empty();
    }
    String transactionId = InboxRecord.transactionId(transaction);
    return Optional.of(new InboxRecord(transactionId, proof, consumer, fresh, tables));
  }

  private Set<InboxId> fresh(
      Connection transaction, String consumer, List<InboxId> sorted, UUID proof)
      throws SQLException {
    Object[] sources = sorted.stream().map(InboxId::source).toArray();
    Object[] messageIds = sorted.stream().map(InboxId::id).toArray();
    for (int attempt = 1; ; attempt++) {
      try {
        return new HashSet<>(
            Sql.of(transaction, insert, consumer, proof, sources, messageIds, consumer)
                .rows(row -> new InboxId(row.getString(1), row.getString(2))));
      } catch (SQLException e) {
        if (!H2Errors.isDuplicate(e)) {
          throw e;
        }
        if (attempt > Math.max(ATTEMPTS_MAX, sorted.size())
            || transaction.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED) {
          throw new SQLTransactionRollbackException(
              "another transaction has processed the same message", RACE, e);
        }
      }
    }
  }
}
