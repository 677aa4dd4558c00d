// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.ReceivedSql;
import io.outledger.jdbc.spi.ReceivedTableBySql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** What consumers have received and parked, on PostgreSQL. */
final class PostgresReceived extends ReceivedTableBySql {

  private static final String LIGHT =
      "p.number, p.source, p.message_id, p.key, p.key_space, p.topic, p.type, p.attempts";
  static final String MESSAGE =
      "p.source, p.message_id, p.origin, p.topic, p.key, p.type, p.version, p.payload, p.headers,"
          + " p.time, p.key_space";

  // The primary key.
  private static final String COUNT =
      """
      SELECT count(*) FROM (
        SELECT FROM {schema}.outledger_inbox_parked p WHERE p.consumer = ? LIMIT ?) parked\
      """;

  // Probes the inbox's primary key: another instance may have processed it meanwhile.
  private static final String PARK =
      """
      INSERT INTO {schema}.outledger_inbox_parked
             (consumer, source, message_id, state, blocks, attempts, next_attempt_at, error,
              origin, topic, key_space, key, type, version, payload, headers, time)
      SELECT m.* FROM (
        SELECT ?::text AS consumer, ?::text AS source, ?::text AS message_id, ?::text, ?::boolean,
               ?::int, clock_timestamp() + ?::bigint * interval '1 millisecond', ?::text, ?::text,
               ?::text, ?::text, ?::text, ?::text, ?::int, ?::bytea, ?::text, ?::timestamptz) m
       WHERE NOT EXISTS (SELECT FROM {schema}.outledger_inbox i
                          WHERE i.consumer = m.consumer AND i.source = m.source
                            AND i.message_id = m.message_id)
      ON CONFLICT (consumer, source, message_id) DO NOTHING\
      """;

  private static final String FIRST =
      """
      NOT EXISTS (SELECT FROM {schema}.outledger_inbox_parked e
                   WHERE e.consumer = p.consumer AND e.key = p.key
                     AND e.key_space = p.key_space
                     AND hashtextextended(e.key, 0) = hashtextextended(p.key, 0)
                     AND e.number < p.number AND e.blocks)\
      """;

  // The index of what is due, and one probe of the index of keys for each row.
  private static final String DUE =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.state <> 'dead' AND p.next_attempt_at <= clock_timestamp()
         AND %s
       ORDER BY p.next_attempt_at, p.number LIMIT ?\
      """
          .formatted(LIGHT, FIRST);

  // The index of keys.
  private static final String NEXT =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p, (SELECT ?::text AS key) k
       WHERE p.consumer = ? AND hashtextextended(p.key, 0) = hashtextextended(k.key, 0)
         AND p.key = k.key AND p.key_space = ? AND p.number > ? AND p.state <> 'dead' AND p.blocks
       ORDER BY p.number LIMIT 1\
      """
          .formatted(LIGHT);

  // The primary key. Where somebody else has tried it since it was listed, its attempts differ.
  private static final String LOCK =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.number = ? AND p.attempts = ? AND p.state <> 'dead'
         AND p.next_attempt_at <= clock_timestamp() FOR UPDATE SKIP LOCKED\
      """
          .formatted(MESSAGE);

  private static final String IS_FIRST =
      """
      SELECT count(*) FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.number = ? AND p.state <> 'dead' AND %s\
      """
          .formatted(FIRST);

  // The primary key.
  private static final String REMOVE =
      "DELETE FROM {schema}.outledger_inbox_parked WHERE consumer = ? AND number = ?";

  // The primary key. The attempt answers a request to retry. Without a reason the last one stays.
  private static final String FAIL =
      """
      UPDATE {schema}.outledger_inbox_parked
         SET state = ?, blocks = ? AND key IS NOT NULL, attempts = ?, error = coalesce(?, error),
             requested = nullif(requested, 'retry'),
             next_attempt_at = clock_timestamp() + ? * interval '1 millisecond',
             changed_at = clock_timestamp()
       WHERE consumer = ? AND number = ? AND attempts = ? AND state <> 'dead'\
      """;

  // The index of requests.
  private static final String REQUESTED =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.requested = ? AND p.state <> 'held'
       ORDER BY p.number LIMIT ? FOR UPDATE SKIP LOCKED\
      """
          .formatted(LIGHT);

  private static final String ALLOW =
      """
      UPDATE {schema}.outledger_inbox_parked p
         SET state = 'retrying', blocks = p.key IS NOT NULL, requested = NULL,
             next_attempt_at = clock_timestamp(), changed_at = clock_timestamp()
       WHERE p.consumer = ? AND p.number = ANY (ARRAY(
             SELECT r.number FROM {schema}.outledger_inbox_parked r
              WHERE r.consumer = ? AND r.requested = 'retry' AND r.state <> 'held'
              ORDER BY r.number LIMIT ? FOR UPDATE SKIP LOCKED))\
      """;

  private static final ReceivedSql SQL =
      new ReceivedSql(
          COUNT,
          PARK,
          DUE,
          NEXT,
          LOCK,
          IS_FIRST,
          REMOVE,
          FAIL,
          REQUESTED,
          ReceivedRequests.LIST,
          ReceivedRequests.CONSUMERS);

  private final ReceivedAdmission admission;
  private final String allow;
  private final String request;

  PostgresReceived(Tables tables, String forget) {
    super(SQL.with(tables::in));
    this.admission = new ReceivedAdmission(tables, forget);
    this.allow = tables.in(ALLOW);
    this.request = tables.in(ReceivedRequests.REQUEST);
  }

  @Override
  public Admission admit(
      Connection transaction, String consumer, List<Received> batch, boolean isLocked)
      throws SQLException {
    return admission.admit(transaction, consumer, batch, isLocked);
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

  @Override
  public List<Long> request(Connection transaction, String consumer, Request request, Page page)
      throws SQLException {
    return rows(
            transaction,
            this.request,
            row -> row.getLong(1),
            filters(request.selection(), page, request.what().stored(), consumer, consumer)
                .toArray())
        .stream()
        .sorted()
        .toList();
  }
}
