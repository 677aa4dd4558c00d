// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.InboxProof;
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
import java.util.stream.Stream;

/** Inserts the inbox records of those messages of a batch that nothing parked is in the way of. */
final class ReceivedAdmission {

  // One probe of the primary key where the consumer has nothing parked. Where it has, one probe of
  // three small indexes for each message. The ids are sorted, as for every inbox.
  private static final String SQL =
      """
      WITH parked AS MATERIALIZED (
        SELECT EXISTS (SELECT FROM {schema}.outledger_inbox_parked p WHERE p.consumer = ?) AS any),
      arrived AS MATERIALIZED (
        SELECT a.source, a.id, a.n,
               CASE
                 WHEN NOT parked.any THEN 'free'
                 WHEN EXISTS (SELECT FROM {schema}.outledger_inbox_parked p
                               WHERE p.consumer = ? AND p.source = a.source AND p.message_id = a.id)
                   THEN 'known'
                 WHEN a.key IS NULL THEN 'free'
                 WHEN EXISTS (SELECT FROM {schema}.outledger_inbox_parked p
                               WHERE p.consumer = ? AND p.key = a.key AND p.key_space = a.space
                                 AND hashtextextended(p.key, 0) = hashtextextended(a.key, 0)
                                 AND p.blocks)
                   THEN CASE
                     WHEN EXISTS (SELECT FROM {schema}.outledger_inbox i
                                   WHERE i.consumer = ? AND i.source = a.source
                                     AND i.message_id = a.id)
                     THEN 'known' ELSE 'blocked' END
                 WHEN EXISTS (SELECT FROM {schema}.outledger_inbox_parked p
                               WHERE p.consumer = ? AND p.key = a.key AND p.key_space = a.space
                                 AND hashtextextended(p.key, 0) = hashtextextended(a.key, 0))
                   THEN 'dead'
                 ELSE 'free'
               END AS standing
          FROM unnest(?::text[], ?::text[], ?::text[], ?::text[])
               WITH ORDINALITY AS a (source, id, key, space, n)
         CROSS JOIN parked),
      fresh AS (
        INSERT INTO {schema}.outledger_inbox (consumer, source, message_id)
        SELECT ?, a.source, a.id FROM arrived a
         WHERE a.standing = 'free' OR (a.standing = 'dead' AND ?)
         ORDER BY a.n
        ON CONFLICT DO NOTHING
        RETURNING source, message_id, pg_current_xact_id()::text AS transaction)
      SELECT f.source, f.message_id, 'fresh', f.transaction FROM fresh f
      UNION ALL
      SELECT a.source, a.id, a.standing, NULL FROM arrived a
       WHERE a.standing = 'blocked' OR (a.standing = 'dead' AND NOT ?)
      """;

  // The inbox's primary key, and the unique key of what is parked.
  private static final String KNOWN =
      """
      SELECT a.source, a.id FROM unnest(?::text[], ?::text[]) AS a (source, id)
       WHERE EXISTS (SELECT FROM {schema}.outledger_inbox i
                      WHERE i.consumer = ? AND i.source = a.source AND i.message_id = a.id)
          OR EXISTS (SELECT FROM {schema}.outledger_inbox_parked p
                      WHERE p.consumer = ? AND p.source = a.source AND p.message_id = a.id)\
      """;

  private final String sql;
  private final String known;
  private final String forget;

  ReceivedAdmission(Tables tables, String forget) {
    this.sql = tables.in(SQL);
    this.known = tables.in(KNOWN);
    this.forget = forget;
  }

  Admission admit(Connection transaction, String consumer, List<Received> batch, boolean isLocked)
      throws SQLException {
    List<Received> sorted = batch.stream().sorted(Comparator.comparing(Received::inboxId)).toList();
    try (PreparedStatement statement = transaction.prepareStatement(sql)) {
      for (int i = 1; i <= 5; i++) {
        statement.setString(i, consumer);
      }
      statement.setArray(6, array(transaction, sorted.stream().map(r -> r.inboxId().source())));
      statement.setArray(7, array(transaction, sorted.stream().map(r -> r.inboxId().id())));
      statement.setArray(8, array(transaction, sorted.stream().map(Received::key)));
      statement.setArray(9, array(transaction, sorted.stream().map(Received::keySpace)));
      statement.setString(10, consumer);
      statement.setBoolean(11, isLocked);
      statement.setBoolean(12, isLocked);
      try (ResultSet rows = statement.executeQuery()) {
        return read(rows, consumer);
      }
    }
  }

  Set<InboxId> known(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(known)) {
      statement.setArray(1, array(transaction, ids.stream().map(InboxId::source)));
      statement.setArray(2, array(transaction, ids.stream().map(InboxId::id)));
      statement.setString(3, consumer);
      statement.setString(4, consumer);
      Set<InboxId> found = new HashSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(new InboxId(rows.getString(1), rows.getString(2)));
        }
      }
      return found;
    }
  }

  private static Array array(Connection transaction, Stream<?> values) throws SQLException {
    return transaction.createArrayOf("text", values.toArray());
  }

  private Admission read(ResultSet rows, String consumer) throws SQLException {
    Set<InboxId> fresh = new HashSet<>();
    Set<InboxId> blocked = new HashSet<>();
    Set<InboxId> dead = new HashSet<>();
    String transactionId = "";
    while (rows.next()) {
      InboxId id = new InboxId(rows.getString(1), rows.getString(2));
      switch (rows.getString(3)) {
        case "fresh" -> {
          fresh.add(id);
          transactionId = rows.getString(4);
        }
        case "blocked" -> blocked.add(id);
        default -> dead.add(id);
      }
    }
    Optional<InboxProof> proof =
        fresh.isEmpty()
            ? Optional.empty()
            : Optional.of(new InboxRecord(transactionId, consumer, fresh, forget));
    return new Admission(proof, blocked, dead);
  }
}
