// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.ParkedReceipt;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.InboxTable;
import io.outledger.jdbc.spi.ReceivedTable;
import io.outledger.receive.ParkedFailure;
import io.outledger.receive.ParkedReceived;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What consumers have received and parked, on H2: within one process, so statements are cheap. */
final class H2Received implements ReceivedTable {

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
      SELECT CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR),
             CAST(? AS BOOLEAN), CAST(? AS INTEGER),
             DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP), CAST(? AS VARCHAR),
             CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR),
             CAST(? AS VARCHAR), CAST(? AS INTEGER), CAST(? AS BINARY LARGE OBJECT), CAST(? AS VARCHAR),
             CAST(? AS TIMESTAMP(6) WITH TIME ZONE)
       WHERE NOT EXISTS (SELECT 1 FROM {schema}.outledger_inbox i
                          WHERE i.consumer = ? AND i.source = ? AND i.message_id = ?)
         AND NOT EXISTS (SELECT 1 FROM {schema}.outledger_inbox_parked p
                          WHERE p.consumer = ? AND p.source = ? AND p.message_id = ?)\
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
          .formatted(ReceivedRow.LIGHT, FIRST);

  private static final String NEXT =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p."KEY" = ? AND p.key_space = ? AND p.number > ?
         AND p.state <> 'dead' AND p.blocks
       ORDER BY p.number FETCH FIRST 1 ROWS ONLY\
      """
          .formatted(ReceivedRow.LIGHT);

  // The primary key.
  private static final String LOCK =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.number = ? AND p.state <> 'dead'
         AND p.next_attempt_at <= CURRENT_TIMESTAMP FOR UPDATE SKIP LOCKED\
      """
          .formatted(ReceivedRow.MESSAGE);

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
          .formatted(ReceivedRow.LIGHT);

  private static final String ALLOW =
      """
      UPDATE {schema}.outledger_inbox_parked
         SET state = 'retrying', blocks = "KEY" IS NOT NULL, requested = NULL,
             next_attempt_at = CURRENT_TIMESTAMP, changed_at = CURRENT_TIMESTAMP
       WHERE consumer = ? AND number = ?\
      """;

  // Filters on the rows of one consumer: null lets all pass.
  private static final String FITTING =
      """
      p.number > ? AND p.number <= ?
           AND p.state = COALESCE(CAST(? AS VARCHAR), p.state)
           AND p.type = COALESCE(CAST(? AS VARCHAR), p.type)
           AND p.topic = COALESCE(CAST(? AS VARCHAR), p.topic)
           AND p."KEY" IS NOT DISTINCT FROM COALESCE(CAST(? AS VARCHAR), p."KEY")
           AND (CAST(? AS VARCHAR) IS NULL OR POSITION(CAST(? AS VARCHAR), p.error) > 0)\
      """;

  private static final String LIST =
      """
      SELECT %s, p.number, p.state, p.attempts, p.error, p.requested, p.parked_at
        FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND %s ORDER BY p.number FETCH FIRST ? ROWS ONLY\
      """
          .formatted(ReceivedRow.MESSAGE, FITTING);

  private static final String TO_REQUEST =
      """
      SELECT p.number FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.state <> 'held' AND %s
       ORDER BY p.number FETCH FIRST ? ROWS ONLY FOR UPDATE\
      """
          .formatted(FITTING);

  private static final String REQUEST =
      """
      UPDATE {schema}.outledger_inbox_parked
         SET requested = ?, changed_at = CURRENT_TIMESTAMP WHERE consumer = ? AND number = ?\
      """;

  private final Tables tables;
  private final ReceivedAdmission admission;

  H2Received(Tables tables, InboxTable inbox) {
    this.tables = tables;
    this.admission = new ReceivedAdmission(tables, inbox);
  }

  private Sql sql(Connection connection, String text, @Nullable Object... values) {
    return Sql.of(connection, tables.in(text), values);
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
  public int count(Connection transaction, String consumer, int limit) throws SQLException {
    return (int) sql(transaction, COUNT, consumer, limit).number();
  }

  @Override
  public int park(
      Connection transaction, String consumer, List<Received> batch, ParkedFailure failure)
      throws SQLException {
    int parked = 0;
    for (Received message : batch) {
      parked += park(transaction, consumer, message, failure);
    }
    return parked;
  }

  private int park(Connection transaction, String consumer, Received message, ParkedFailure failure)
      throws SQLException {
    Instant time = message.time();
    String source = message.inboxId().source();
    return sql(
            transaction,
            PARK,
            consumer,
            source,
            message.id(),
            state(failure.state()),
            failure.blocks() && message.key() != null,
            failure.attempts(),
            failure.delay().toMillis(),
            failure.reason(),
            message.origin(),
            message.topic(),
            message.keySpace(),
            message.key(),
            message.type(),
            message.version(),
            message.payload(),
            HeaderText.encode(message.headers()),
            time == null ? null : time.atOffset(ZoneOffset.UTC),
            consumer,
            source,
            message.id(),
            consumer,
            source,
            message.id())
        .update();
  }

  private static String state(ParkedState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public List<ParkedReceived> due(Connection transaction, String consumer, int limit)
      throws SQLException {
    return sql(transaction, DUE, consumer, limit).rows(ReceivedRow::light);
  }

  @Override
  public Optional<ParkedReceived> next(
      Connection transaction, String consumer, ParkedReceived after) throws SQLException {
    return sql(transaction, NEXT, consumer, after.key(), after.keySpace(), after.number())
        .first(ReceivedRow::light);
  }

  @Override
  public Optional<Received> lock(Connection transaction, String consumer, long number)
      throws SQLException {
    return sql(transaction, LOCK, consumer, number).first(ReceivedRow::message);
  }

  @Override
  public boolean isFirst(Connection transaction, String consumer, ParkedReceived parked)
      throws SQLException {
    return sql(transaction, IS_FIRST, consumer, parked.number()).number() > 0;
  }

  @Override
  public void remove(Connection transaction, String consumer, long number) throws SQLException {
    sql(transaction, REMOVE, consumer, number).update();
  }

  @Override
  public void fail(
      Connection transaction, String consumer, ParkedReceived parked, ParkedFailure failure)
      throws SQLException {
    sql(
            transaction,
            FAIL,
            state(failure.state()),
            failure.blocks(),
            failure.attempts(),
            failure.reason(),
            failure.delay().toMillis(),
            consumer,
            parked.number(),
            parked.attempts())
        .update();
  }

  @Override
  public List<ParkedReceived> toDiscard(Connection transaction, String consumer, int limit)
      throws SQLException {
    return sql(transaction, REQUESTED, consumer, ParkedRequest.DISCARD.stored(), limit)
        .rows(ReceivedRow::light);
  }

  @Override
  public void allowRetries(Connection transaction, String consumer, int limit) throws SQLException {
    for (ParkedReceived each :
        sql(transaction, REQUESTED, consumer, ParkedRequest.RETRY.stored(), limit)
            .rows(ReceivedRow::light)) {
      sql(transaction, ALLOW, consumer, each.number()).update();
    }
  }

  @Override
  public List<ParkedReceipt> list(
      Connection transaction, String consumer, ParkedSelection selection, Page page)
      throws SQLException {
    return sql(transaction, LIST, values(consumer, selection, page)).rows(H2Received::receipt);
  }

  private static ParkedReceipt receipt(ResultSet row) throws SQLException {
    return new ParkedReceipt(
        row.getLong(12),
        ReceivedRow.message(row),
        ParkedState.valueOf(row.getString(13).toUpperCase(Locale.ROOT)),
        row.getInt(14),
        row.getString(15),
        ParkedRequest.of(row.getString(16)),
        row.getObject(17, OffsetDateTime.class).toInstant());
  }

  @Override
  public List<Long> request(Connection transaction, String consumer, Request request, Page page)
      throws SQLException {
    List<Long> numbers =
        sql(transaction, TO_REQUEST, values(consumer, request.selection(), page))
            .rows(row -> row.getLong(1));
    for (Long number : numbers) {
      sql(transaction, REQUEST, request.what().stored(), consumer, number).update();
    }
    return numbers;
  }

  private static @Nullable Object[] values(String consumer, ParkedSelection selection, Page page) {
    ParkedState state = selection.state();
    List<@Nullable Object> values = new ArrayList<>(List.of(consumer, page.above(), page.last()));
    values.add(state == null ? null : state(state));
    values.add(selection.type());
    values.add(selection.topic());
    values.add(selection.key());
    values.add(selection.errorText());
    values.add(selection.errorText());
    values.add(page.limit());
    return values.toArray();
  }
}
