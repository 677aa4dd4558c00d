// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.InboxTable;
import io.outledger.jdbc.spi.ReceivedSql;
import io.outledger.jdbc.spi.ReceivedTableBySql;
import io.outledger.receive.ParkedReceived;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** What consumers have received and parked, on H2: within one process, so statements are cheap. */
final class H2Received extends ReceivedTableBySql {

  private static final String LIGHT =
      "p.number, p.source, p.message_id, p.\"KEY\", p.key_space, p.topic, p.type, p.attempts";
  static final String MESSAGE =
      "p.source, p.message_id, p.origin, p.topic, p.\"KEY\", p.type, p.version, p.payload,"
          + " p.headers, p.time, p.key_space";

  // The primary key.
  private static final String COUNT =
      """
      SELECT COUNT(*) FROM (
        SELECT p.number FROM {schema}.outledger_inbox_parked p
         WHERE p.consumer = ? FETCH FIRST ? ROWS ONLY) parked\
      """;

  // Probes the inbox's primary key: another instance may have processed it meanwhile.
  private static final String PARK =
      """
      INSERT INTO {schema}.outledger_inbox_parked
             (consumer, source, message_id, state, blocks, attempts, next_attempt_at, error,
              origin, topic, key_space, "KEY", type, version, payload, headers, time)
      SELECT m.* FROM (
        SELECT CAST(? AS VARCHAR) AS consumer, CAST(? AS VARCHAR) AS source,
               CAST(? AS VARCHAR) AS message_id, CAST(? AS VARCHAR) AS state,
               CAST(? AS BOOLEAN) AS blocks, CAST(? AS INTEGER) AS attempts,
               DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP) AS next_attempt_at,
               CAST(? AS VARCHAR) AS error, CAST(? AS VARCHAR) AS origin,
               CAST(? AS VARCHAR) AS topic, CAST(? AS VARCHAR) AS key_space,
               CAST(? AS VARCHAR) AS "KEY", CAST(? AS VARCHAR) AS type,
               CAST(? AS INTEGER) AS version, CAST(? AS BINARY LARGE OBJECT) AS payload,
               CAST(? AS VARCHAR) AS headers,
               CAST(? AS TIMESTAMP(6) WITH TIME ZONE) AS time) m
       WHERE NOT EXISTS (SELECT 1 FROM {schema}.outledger_inbox i
                          WHERE i.consumer = m.consumer AND i.source = m.source
                            AND i.message_id = m.message_id)
         AND NOT EXISTS (SELECT 1 FROM {schema}.outledger_inbox_parked p
                          WHERE p.consumer = m.consumer AND p.source = m.source
                            AND p.message_id = m.message_id)\
      """;

  private static final String FIRST =
      """
      NOT EXISTS (SELECT 1 FROM {schema}.outledger_inbox_parked e
                   WHERE e.consumer = p.consumer AND e."KEY" = p."KEY"
                     AND e.key_space = p.key_space AND e.number < p.number AND e.blocks)\
      """;

  private static final String DUE =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.state <> 'dead' AND p.next_attempt_at <= CURRENT_TIMESTAMP
         AND %s
       ORDER BY p.next_attempt_at, p.number FETCH FIRST ? ROWS ONLY\
      """
          .formatted(LIGHT, FIRST);

  private static final String NEXT =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p."KEY" = ? AND p.consumer = ? AND p.key_space = ? AND p.number > ?
         AND p.state <> 'dead' AND p.blocks
       ORDER BY p.number FETCH FIRST 1 ROWS ONLY\
      """
          .formatted(LIGHT);

  // The primary key. Where somebody else has tried it since it was listed, its attempts differ.
  private static final String LOCK =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.number = ? AND p.attempts = ? AND p.state <> 'dead'
         AND p.next_attempt_at <= CURRENT_TIMESTAMP FOR UPDATE SKIP LOCKED\
      """
          .formatted(MESSAGE);

  private static final String IS_FIRST =
      """
      SELECT COUNT(*) FROM {schema}.outledger_inbox_parked p
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
         SET state = ?, blocks = CAST(? AS BOOLEAN) AND "KEY" IS NOT NULL, attempts = ?,
             error = COALESCE(CAST(? AS VARCHAR), error),
             requested = NULLIF(requested, 'retry'),
             next_attempt_at = DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP),
             changed_at = CURRENT_TIMESTAMP
       WHERE consumer = ? AND number = ? AND attempts = ? AND state <> 'dead'\
      """;

  private static final String REQUESTED =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.requested = ? AND p.state <> 'held'
       ORDER BY p.number FETCH FIRST ? ROWS ONLY FOR UPDATE SKIP LOCKED\
      """
          .formatted(LIGHT);

  private static final String ALLOW =
      """
      UPDATE {schema}.outledger_inbox_parked
         SET state = 'retrying', blocks = "KEY" IS NOT NULL, requested = NULL,
             next_attempt_at = CURRENT_TIMESTAMP, changed_at = CURRENT_TIMESTAMP
       WHERE consumer = ? AND number = ?\
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
  private final String toRequest;
  private final String request;

  H2Received(Tables tables, InboxTable inbox) {
    super(SQL.with(tables::in));
    this.admission = new ReceivedAdmission(tables, inbox);
    this.allow = tables.in(ALLOW);
    this.toRequest = tables.in(ReceivedRequests.TO_REQUEST);
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
    for (ParkedReceived each : requested(transaction, consumer, ParkedRequest.RETRY, limit)) {
      update(transaction, allow, consumer, each.number());
    }
  }

  @Override
  public List<Long> request(Connection transaction, String consumer, Request request, Page page)
      throws SQLException {
    List<Long> numbers =
        rows(
            transaction,
            toRequest,
            row -> row.getLong(1),
            filters(request.selection(), page, consumer).toArray());
    for (Long number : numbers) {
      update(transaction, this.request, request.what().stored(), consumer, number);
    }
    return numbers;
  }
}
