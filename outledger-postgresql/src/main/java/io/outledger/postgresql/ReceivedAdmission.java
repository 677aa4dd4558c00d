// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.ReceivedTable.Look;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Inserts the inbox records of those messages of a batch that nothing parked is in the way of. */
final class ReceivedAdmission {

  // One probe of the primary key where the consumer has nothing parked. Where it has, one probe of
  // three small indexes for each message. The ids are sorted, as for every inbox. Under a lock, a
  // snapshot of before it tells nothing of dead letters: then their key is blocked.
  private static final String SQL =
      """
      WITH parked AS MATERIALIZED (
        SELECT EXISTS (SELECT FROM {schema}.outledger_inbox_parked p WHERE p.consumer = ?) AS any),
      dead AS MATERIALIZED (
        SELECT CASE WHEN NOT ?::boolean THEN 'dead'
                    WHEN current_setting('transaction_isolation') LIKE 'read %' THEN 'free'
                    ELSE 'blocked' END AS standing),
      arrived AS MATERIALIZED (
        SELECT a.consumer_no, a.hash, a.n,
               CASE
                 WHEN NOT parked.any THEN 'free'
                 WHEN EXISTS (SELECT FROM {schema}.outledger_inbox_parked p
                               WHERE p.consumer = ? AND p.source = a.source AND p.message_id = a.id)
                   THEN 'known'
                 WHEN a.key IS NULL THEN 'free'
                 WHEN EXISTS (SELECT FROM {schema}.outledger_inbox_parked p
                               WHERE p.consumer = ? AND p.message_key = a.key
                                 AND p.key_space = a.space
                                 AND hashtextextended(p.message_key, 0)
                                   = hashtextextended(a.key, 0)
                                 AND p.blocks)
                   THEN CASE
                     WHEN EXISTS (SELECT FROM {schema}.outledger_inbox i
                                   WHERE i.consumer_no = a.consumer_no AND i.message_hash = a.hash)
                     THEN 'known' ELSE 'blocked' END
                 WHEN EXISTS (SELECT FROM {schema}.outledger_inbox_parked p
                               WHERE p.consumer = ? AND p.message_key = a.key
                                 AND p.key_space = a.space
                                 AND hashtextextended(p.message_key, 0)
                                   = hashtextextended(a.key, 0))
                   THEN dead.standing
                 ELSE 'free'
               END AS standing
          FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::int[], ?::uuid[])
               WITH ORDINALITY AS a (source, id, key, space, consumer_no, hash, n)
         CROSS JOIN parked CROSS JOIN dead),
      fresh AS (
        INSERT INTO {schema}.outledger_inbox (consumer_no, message_hash)
        SELECT a.consumer_no, a.hash FROM arrived a
         WHERE a.standing = 'free'
         ORDER BY a.n
        ON CONFLICT DO NOTHING
        RETURNING message_hash, pg_current_xact_id()::text AS transaction)
      SELECT f.message_hash, 'fresh', f.transaction FROM fresh f
      UNION ALL
      SELECT a.hash, a.standing, NULL FROM arrived a
       WHERE a.standing IN ('blocked', 'dead')
      """;

  // The inbox's primary key, and the unique key of what is parked.
  private static final String KNOWN =
      """
      SELECT a.hash
        FROM unnest(?::text[], ?::text[], ?::int[], ?::uuid[]) AS a (source, id, consumer_no, hash)
       WHERE EXISTS (SELECT FROM {schema}.outledger_inbox i
                      WHERE i.consumer_no = a.consumer_no AND i.message_hash = a.hash)
          OR EXISTS (SELECT FROM {schema}.outledger_inbox_parked p
                      WHERE p.consumer = ? AND p.source = a.source AND p.message_id = a.id)\
      """;

  private final String sql;
  private final String known;
  private final PostgresInbox inbox;

  ReceivedAdmission(Tables tables, PostgresInbox inbox) {
    this.sql = tables.in(SQL);
    this.known = tables.in(KNOWN);
    this.inbox = inbox;
  }

  Admission admit(Connection transaction, String consumer, List<Received> batch, Look look)
      throws SQLException {
    List<Received> sorted = batch.stream().sorted(Comparator.comparing(Received::inboxId)).toList();
    InboxKeys keys =
        inbox.keys(transaction, consumer, sorted.stream().map(Received::inboxId).toList());
    Found found;
    try (PreparedStatement statement = transaction.prepareStatement(sql)) {
      statement.setString(1, consumer);
      statement.setBoolean(2, look != Look.FIRST);
      for (int i = 3; i <= 5; i++) {
        statement.setString(i, consumer);
      }
      statement.setArray(6, array(transaction, sorted.stream().map(r -> r.inboxId().source())));
      statement.setArray(7, array(transaction, sorted.stream().map(r -> r.inboxId().id())));
      statement.setArray(8, array(transaction, sorted.stream().map(Received::key)));
      statement.setArray(9, array(transaction, sorted.stream().map(Received::keySpace)));
      PostgresInbox.bind(statement, 10, keys);
      try (ResultSet rows = statement.executeQuery()) {
        found = read(rows, keys);
      }
    }
    Optional<InboxProof> proof =
        inbox.proof(
            transaction, found.transactionId(), consumer, keys.of(found.fresh()), found.fresh());
    return new Admission(proof, found.blocked(), found.dead());
  }

  /** What became of a batch, and the server's id of the transaction; empty where none is fresh. */
  private record Found(
      Set<InboxId> fresh, Set<InboxId> blocked, Set<InboxId> dead, String transactionId) {}

  Set<InboxId> known(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(known)) {
      List<InboxId> all = List.copyOf(ids);
      InboxKeys keys = inbox.keys(transaction, consumer, all);
      statement.setArray(1, array(transaction, all.stream().map(InboxId::source)));
      statement.setArray(2, array(transaction, all.stream().map(InboxId::id)));
      PostgresInbox.bind(statement, 3, keys);
      statement.setString(5, consumer);
      Set<InboxId> found = new HashSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(keys.idOf(rows.getObject(1, UUID.class)));
        }
      }
      return found;
    }
  }

  private static Array array(Connection transaction, Stream<?> values) throws SQLException {
    return transaction.createArrayOf("text", values.toArray());
  }

  private static Found read(ResultSet rows, InboxKeys keys) throws SQLException {
    Set<InboxId> fresh = new HashSet<>();
    Set<InboxId> blocked = new HashSet<>();
    Set<InboxId> dead = new HashSet<>();
    String transactionId = "";
    while (rows.next()) {
      InboxId id = keys.idOf(rows.getObject(1, UUID.class));
      switch (rows.getString(2)) {
        case "fresh" -> {
          fresh.add(id);
          transactionId = rows.getString(3);
        }
        case "blocked" -> blocked.add(id);
        default -> dead.add(id);
      }
    }
    return new Found(fresh, blocked, dead, transactionId);
  }
}
