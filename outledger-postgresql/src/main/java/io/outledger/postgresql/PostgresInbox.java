// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxConsumers;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.InboxTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Remembers ids on PostgreSQL. At READ COMMITTED an id that another transaction is inserting is
 * waited for. Above it, where the other one committed after this transaction's snapshot, the server
 * raises 40001, which arrives as {@code OUT-027} with the advice to try the transaction again.
 */
final class PostgresInbox implements InboxTable {

  // The primary key finds what is there. The ids are sorted, so that two batches with the same ids
  // wait for each other and do not deadlock.
  private static final String SQL =
      """
      INSERT INTO {schema}.outledger_inbox (consumer_no, message_hash)
      SELECT m.consumer_no, m.hash
      FROM unnest(?::int[], ?::uuid[]) WITH ORDINALITY AS m (consumer_no, hash, n)
      ORDER BY m.n
      ON CONFLICT DO NOTHING
      RETURNING message_hash, pg_current_xact_id()::text
      """;

  // By the primary key, one look-up for each id.
  private static final String FORGET =
      """
      DELETE FROM {schema}.outledger_inbox i
      USING unnest(?::int[], ?::uuid[]) AS m (consumer_no, hash)
      WHERE i.consumer_no = m.consumer_no AND i.message_hash = m.hash
      """;

  private final String sql;
  private final String forget;
  private final InboxConsumers consumers;

  PostgresInbox(Tables tables) {
    this.consumers = new InboxConsumers(tables);
    this.sql = tables.in(SQL);
    this.forget = tables.in(FORGET);
  }

  @Override
  public Optional<InboxProof> insert(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    InboxKeys keys = keys(transaction, consumer, new TreeSet<>(ids));
    Set<InboxId> fresh = new HashSet<>();
    String transactionId = "";
    try (PreparedStatement statement = transaction.prepareStatement(sql)) {
      bind(statement, 1, keys);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          fresh.add(keys.idOf(rows.getObject(1, UUID.class)));
          transactionId = rows.getString(2);
        }
      }
    }
    return proof(transaction, transactionId, consumer, keys.of(fresh), fresh);
  }

  /** Sets two parameters: the numbers and the hashes of keys. */
  static void bind(PreparedStatement statement, int at, InboxKeys keys) throws SQLException {
    Connection connection = statement.getConnection();
    statement.setArray(at, connection.createArrayOf("int4", keys.numbers()));
    statement.setArray(at + 1, connection.createArrayOf("uuid", keys.hashes()));
  }

  InboxKeys keys(Connection transaction, String consumer, Collection<InboxId> ids)
      throws SQLException {
    return consumers.keys(transaction, consumer, ids);
  }

  /** Tells the names behind what was inserted, and returns the proof for the commit. */
  Optional<InboxProof> proof(
      Connection transaction,
      String transactionId,
      String consumer,
      InboxKeys fresh,
      Set<InboxId> ids)
      throws SQLException {
    if (ids.isEmpty()) {
      return Optional.empty();
    }
    consumers.tell(transaction, transactionId, consumer, fresh);
    return Optional.of(new InboxRecord(transactionId, consumer, ids, fresh, forget));
  }
}
