// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.ReceivedSql;
import io.outledger.jdbc.spi.ReceivedTable.Look;
import io.outledger.jdbc.spi.ReceivedTableBySql;
import io.outledger.jdbc.sql.ReceivedTexts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** What consumers have received and parked, on PostgreSQL. */
final class PostgresReceived extends ReceivedTableBySql {

  // Probes the inbox's primary key: another instance may have processed it meanwhile.
  private static final String PARK =
      """
      INSERT INTO {schema}.outledger_inbox_parked
             (consumer, source, message_id, state, blocks, attempts, next_attempt_at, error,
              origin, topic, key_space, message_key, type, version, payload, headers, time)
      SELECT m.* FROM (
        SELECT ?::text AS consumer, ?::text AS source, ?::text AS message_id, ?::text, ?::boolean,
               ?::int, clock_timestamp() + ?::bigint * interval '1 millisecond', ?::text, ?::text,
               ?::text, ?::text, ?::text, ?::text, ?::int, ?::bytea, ?::text, ?::timestamptz) m
       WHERE NOT EXISTS (SELECT FROM {schema}.outledger_inbox i
                          WHERE i.consumer_no = ? AND i.message_hash = ?)
      ON CONFLICT (consumer, source, message_id) DO NOTHING\
      """;

  // The index of keys, which holds their hashes.
  private static final String OF_KEY =
      """
      , (SELECT ?::text AS key) k
       WHERE hashtextextended(p.message_key, 0) = hashtextextended(k.key, 0)
         AND p.message_key = k.key\
      """;
  private static final String LIKE_FIRST =
      " AND hashtextextended(e.message_key, 0) = hashtextextended(p.message_key, 0)";

  private static final String ALLOW =
      """
      UPDATE {schema}.outledger_inbox_parked p
         SET state = 'retrying', blocks = p.message_key IS NOT NULL, requested = NULL,
             next_attempt_at = clock_timestamp(), changed_at = clock_timestamp()
       WHERE p.consumer = ? AND p.number = ANY (ARRAY(
             SELECT r.number FROM {schema}.outledger_inbox_parked r
              WHERE r.consumer = ? AND r.requested = 'retry' AND r.state <> 'held'
              ORDER BY r.number LIMIT ? FOR UPDATE SKIP LOCKED))\
      """;

  // A small table, and one step in an index for each consumer.
  private static final String CONSUMERS =
      """
      WITH RECURSIVE parked AS (
        SELECT min(p.consumer) AS consumer FROM {schema}.outledger_inbox_parked p
        UNION ALL
        SELECT (SELECT min(p.consumer) FROM {schema}.outledger_inbox_parked p
                 WHERE p.consumer > parked.consumer)
          FROM parked WHERE parked.consumer IS NOT NULL)
      SELECT consumer FROM {schema}.outledger_inbox_consumer
      UNION
      SELECT consumer FROM parked WHERE consumer IS NOT NULL\
      """;

  private static final ReceivedSql SQL =
      ReceivedTexts.of(
          LedgerTexts.LEDGER,
          new ReceivedTexts.Own(PostgresDatabase.SKIP_LOCKED, PARK, OF_KEY, LIKE_FIRST, CONSUMERS));

  private final PostgresInbox inbox;
  private final ReceivedAdmission admission;
  private final String allow;

  PostgresReceived(Tables tables, PostgresInbox inbox) {
    super(SQL, tables);
    this.inbox = inbox;
    this.admission = new ReceivedAdmission(tables, inbox);
    this.allow = tables.in(ALLOW);
  }

  @Override
  protected InboxKeys keys(Connection transaction, String consumer, List<InboxId> ids)
      throws SQLException {
    return inbox.keys(transaction, consumer, ids);
  }

  @Override
  public Admission admit(Connection transaction, String consumer, List<Received> batch, Look look)
      throws SQLException {
    return admission.admit(transaction, consumer, batch, look);
  }

  @Override
  public Set<InboxId> known(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    return admission.known(transaction, consumer, ids);
  }

  @Override
  public void allowRetries(Connection transaction, String consumer, int limit) throws SQLException {
    update(transaction, allow, consumer, consumer, limit);
  }
}
