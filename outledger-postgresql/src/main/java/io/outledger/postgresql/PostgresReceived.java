// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.ParkedReceipt;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.ReceivedTable;
import io.outledger.receive.ParkedFailure;
import io.outledger.receive.ParkedReceived;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What consumers have received and parked, on PostgreSQL. */
final class PostgresReceived implements ReceivedTable {

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
      SELECT m.consumer, m.source, m.id, ?, ?, ?, clock_timestamp() + ? * interval '1 millisecond',
             ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
        FROM (SELECT ?::text AS consumer, ?::text AS source, ?::text AS id) m
       WHERE NOT EXISTS (SELECT FROM {schema}.outledger_inbox i
                          WHERE i.consumer = m.consumer AND i.source = m.source
                            AND i.message_id = m.id)
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
          .formatted(ReceivedRow.LIGHT, FIRST);

  // The index of keys.
  private static final String NEXT =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND hashtextextended(p.key, 0) = hashtextextended(?, 0) AND p.key = ?
         AND p.key_space = ? AND p.number > ? AND p.state <> 'dead' AND p.blocks
       ORDER BY p.number LIMIT 1\
      """
          .formatted(ReceivedRow.LIGHT);

  // The primary key.
  private static final String LOCK =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.number = ? AND p.state <> 'dead'
         AND p.next_attempt_at <= clock_timestamp() FOR UPDATE SKIP LOCKED\
      """
          .formatted(ReceivedRow.MESSAGE);

  private static final String IS_FIRST =
      """
      SELECT p.state <> 'dead' AND %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.number = ?\
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
  private static final String TO_DISCARD =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.requested = 'discard' AND p.state <> 'held'
       ORDER BY p.number LIMIT ? FOR UPDATE SKIP LOCKED\
      """
          .formatted(ReceivedRow.LIGHT);

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

  // Filters on the rows of one consumer, each with one parameter: null lets all pass.
  private static final String FITTING =
      """
      p.number > ? AND p.number <= ?
           AND p.state = coalesce(?::text, p.state)
           AND p.type = coalesce(?::text, p.type) AND p.topic = coalesce(?::text, p.topic)
           AND p.key IS NOT DISTINCT FROM coalesce(?::text, p.key)
           AND strpos(coalesce(p.error, ''), coalesce(?::text, '')) > 0\
      """;

  // The primary key.
  private static final String LIST =
      """
      SELECT %s, p.number, p.state, p.attempts, p.error, p.requested, p.parked_at
        FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND %s ORDER BY p.number LIMIT ?\
      """
          .formatted(ReceivedRow.MESSAGE, FITTING);

  private static final String REQUEST =
      """
      UPDATE {schema}.outledger_inbox_parked u
         SET requested = ?, changed_at = clock_timestamp()
       WHERE u.consumer = ? AND u.number = ANY (ARRAY(
             SELECT p.number FROM {schema}.outledger_inbox_parked p
              WHERE p.consumer = ? AND p.state <> 'held' AND %s
              ORDER BY p.number LIMIT ? FOR UPDATE))
      RETURNING u.number\
      """
          .formatted(FITTING);

  private final Tables tables;
  private final ReceivedAdmission admission;

  PostgresReceived(Tables tables, String forget) {
    this.tables = tables;
    this.admission = new ReceivedAdmission(tables, forget);
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

  /** What a row becomes. */
  private interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  private <T> List<T> rows(Connection connection, String sql, Row<T> row, Object... values)
      throws SQLException {
    try (PreparedStatement statement = bound(connection, sql, values);
        ResultSet rows = statement.executeQuery()) {
      List<T> all = new ArrayList<>();
      while (rows.next()) {
        all.add(row.read(rows));
      }
      return all;
    }
  }

  private int update(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = bound(connection, sql, values)) {
      return statement.executeUpdate();
    }
  }

  private PreparedStatement bound(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(tables.in(sql));
    try {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  @Override
  public int count(Connection transaction, String consumer, int limit) throws SQLException {
    return rows(transaction, COUNT, row -> row.getInt(1), consumer, limit).get(0);
  }

  @Override
  public int park(
      Connection transaction, String consumer, List<Received> batch, ParkedFailure failure)
      throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(tables.in(PARK))) {
      for (Received message : batch) {
        bind(statement, consumer, message, failure);
        statement.addBatch();
      }
      return Arrays.stream(statement.executeBatch()).filter(count -> count > 0).sum();
    }
  }

  private static void bind(
      PreparedStatement statement, String consumer, Received message, ParkedFailure failure)
      throws SQLException {
    Instant time = message.time();
    statement.setString(1, state(failure.state()));
    statement.setBoolean(2, failure.blocks() && message.key() != null);
    statement.setInt(3, failure.attempts());
    statement.setLong(4, failure.delay().toMillis());
    statement.setString(5, failure.reason());
    statement.setString(6, message.origin());
    statement.setString(7, message.topic());
    statement.setString(8, message.keySpace());
    statement.setString(9, message.key());
    statement.setString(10, message.type());
    statement.setInt(11, message.version());
    statement.setBytes(12, message.payload());
    statement.setString(13, HeaderText.encode(message.headers()));
    statement.setObject(14, time == null ? null : time.atOffset(ZoneOffset.UTC));
    statement.setString(15, consumer);
    statement.setString(16, message.inboxId().source());
    statement.setString(17, message.inboxId().id());
  }

  private static String state(ParkedState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public List<ParkedReceived> due(Connection transaction, String consumer, int limit)
      throws SQLException {
    return rows(transaction, DUE, ReceivedRow::light, consumer, limit);
  }

  @Override
  public Optional<ParkedReceived> next(
      Connection transaction, String consumer, ParkedReceived after) throws SQLException {
    String key = String.valueOf(after.key());
    return rows(
            transaction,
            NEXT,
            ReceivedRow::light,
            consumer,
            key,
            key,
            after.keySpace(),
            after.number())
        .stream()
        .findFirst();
  }

  @Override
  public Optional<Received> lock(Connection transaction, String consumer, long number)
      throws SQLException {
    return rows(transaction, LOCK, ReceivedRow::message, consumer, number).stream().findFirst();
  }

  @Override
  public boolean isFirst(Connection transaction, String consumer, ParkedReceived parked)
      throws SQLException {
    return rows(transaction, IS_FIRST, row -> row.getBoolean(1), consumer, parked.number())
        .contains(true);
  }

  @Override
  public void remove(Connection transaction, String consumer, long number) throws SQLException {
    update(transaction, REMOVE, consumer, number);
  }

  @Override
  public void fail(
      Connection transaction, String consumer, ParkedReceived parked, ParkedFailure failure)
      throws SQLException {
    update(
        transaction,
        FAIL,
        state(failure.state()),
        failure.blocks(),
        failure.attempts(),
        failure.reason(),
        failure.delay().toMillis(),
        consumer,
        parked.number(),
        parked.attempts());
  }

  @Override
  public List<ParkedReceived> toDiscard(Connection transaction, String consumer, int limit)
      throws SQLException {
    return rows(transaction, TO_DISCARD, ReceivedRow::light, consumer, limit);
  }

  @Override
  public void allowRetries(Connection transaction, String consumer, int limit) throws SQLException {
    update(transaction, ALLOW, consumer, consumer, limit);
  }

  @Override
  public List<ParkedReceipt> list(
      Connection transaction, String consumer, ParkedSelection selection, Page page)
      throws SQLException {
    List<@Nullable Object> values = new ArrayList<>(List.of(consumer));
    addFilters(values, selection, page);
    return rows(transaction, LIST, PostgresReceived::receipt, values.toArray());
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
    List<@Nullable Object> values =
        new ArrayList<>(List.of(request.what().stored(), consumer, consumer));
    addFilters(values, request.selection(), page);
    return rows(transaction, REQUEST, row -> row.getLong(1), values.toArray()).stream()
        .sorted()
        .toList();
  }

  private static void addFilters(
      List<@Nullable Object> values, ParkedSelection selection, Page page) {
    ParkedState state = selection.state();
    values.add(page.above());
    values.add(page.last());
    values.add(state == null ? null : state(state));
    values.add(selection.type());
    values.add(selection.topic());
    values.add(selection.key());
    values.add(selection.errorText());
    values.add(page.limit());
  }
}
