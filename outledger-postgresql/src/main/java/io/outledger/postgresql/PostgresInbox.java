// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.InboxTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Remembers ids on PostgreSQL. At READ COMMITTED an id that another transaction is inserting is
 * waited for. Above it, where the other one committed after this transaction's snapshot, the server
 * raises 40001, which arrives as {@code OUT-027} with the advice to try the transaction again.
 */
final class PostgresInbox implements InboxTable {

  // The primary key (consumer, source, message_id) finds what is there. The ids are sorted, so that
  // two batches with the same ids wait for each other and do not deadlock.
  private static final String SQL =
      """
      INSERT INTO {schema}.outledger_inbox (consumer, source, message_id)
      SELECT ?, m.source, m.id
      FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS m (source, id, n)
      ORDER BY m.n
      ON CONFLICT DO NOTHING
      RETURNING source, message_id, pg_current_xact_id()::text
      """;

  // By the primary key, one look-up for each id.
  private static final String FORGET =
      """
      DELETE FROM {schema}.outledger_inbox i
      USING unnest(?::text[], ?::text[]) AS m (source, id)
      WHERE i.consumer = ? AND i.source = m.source AND i.message_id = m.id
      """;

  private final String sql;
  private final String forget;

  PostgresInbox(Tables tables) {
    this.sql = tables.in(SQL);
    this.forget = tables.in(FORGET);
  }

  /** Returns the statement that deletes ids of a consumer. */
  String forget() {
    return forget;
  }

  @Override
  public Optional<InboxProof> insert(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    List<InboxId> sorted = List.copyOf(new TreeSet<>(ids));
    Object[] sources = sorted.stream().map(InboxId::source).toArray();
    Object[] messageIds = sorted.stream().map(InboxId::id).toArray();
    try (PreparedStatement statement = transaction.prepareStatement(sql)) {
      statement.setString(1, consumer);
      statement.setArray(2, transaction.createArrayOf("text", sources));
      statement.setArray(3, transaction.createArrayOf("text", messageIds));
      try (ResultSet rows = statement.executeQuery()) {
        Set<InboxId> fresh = new HashSet<>();
        String transactionId = "";
        while (rows.next()) {
          fresh.add(new InboxId(rows.getString(1), rows.getString(2)));
          transactionId = rows.getString(3);
        }
        return fresh.isEmpty()
            ? Optional.empty()
            : Optional.of(new InboxRecord(transactionId, consumer, fresh, forget));
      }
    }
  }
}
