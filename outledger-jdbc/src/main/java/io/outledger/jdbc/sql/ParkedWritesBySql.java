// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.Message;
import io.outledger.jdbc.spi.AttemptRows;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Changes the parked messages, in the transaction of the save that carries the changes.
 * Thread-safe.
 */
final class ParkedWritesBySql {

  private static final int ERROR_CHARS_MAX = 4000;

  private static final String PARK =
      """
      INSERT INTO {schema}.outledger_parked
             (subscription, partition_no, position, route, state, blocks, attempts, next_attempt_at,
              error, time, id, version, topic, message_key, type, payload, headers, parked_at,
              changed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, %s, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now}, {now})\
      """;

  // A message that cannot be read, or is not to be: copied as it stands in the ledger. Its state is
  // set by the statement that follows. Of one that was erased since it was read nothing is left to
  // be tried.
  private static final String COPY =
      """
      INSERT INTO {schema}.outledger_parked
             (subscription, partition_no, position, route, state, blocks, attempts, parked_at,
              changed_at, requested, withdrawn, time, id, version, topic, message_key, type,
              payload, headers)
      SELECT CAST(? AS {varchar}), CAST(? AS {bigint}), m.position, CAST(? AS {varchar}), 'dead',
             FALSE, 0, {now}, {now}, CASE WHEN m.erased THEN 'discard' END, m.erased, m.time, m.id,
             m.version, m.topic, m.message_key, m.type, m.payload, m.headers
        FROM {schema}.outledger_message m WHERE m.position = ? AND m.id = ?\
      """;

  // The primary key. A message that is replayed may meet what was parked of it before: the newer
  // truth replaces it, and keeps no old request. What is withdrawn stays so: it was erased, or
  // another one was appended in its place.
  private static final String PARK_AGAIN =
      """
      UPDATE {schema}.outledger_parked
         SET emptied = 0, state = ?, blocks = ?, request_id = NULL,
             requested = CASE WHEN withdrawn THEN 'discard' END,
             replayed = FALSE, attempts = ?,
             next_attempt_at = %s,
             error = CASE WHEN withdrawn THEN NULL ELSE CAST(? AS {text}) END,
             changed_at = {now}
       WHERE subscription = ? AND partition_no = ? AND position = ? AND route = ? AND id = ?\
      """;

  // The primary key. The attempt answers a request to retry; one to discard, made while it was in
  // flight, is still to be done. What it says of a message that was erased meanwhile may quote it.
  private static final String FAIL =
      """
      UPDATE {schema}.outledger_parked
         SET state = ?, blocks = ?, requested = NULLIF(requested, 'retry'), attempts = ?,
             next_attempt_at = %s,
             error = CASE WHEN withdrawn THEN NULL ELSE CAST(? AS {text}) END,
             changed_at = {now}
       WHERE subscription = ? AND partition_no = ? AND position = ? AND route = ? AND id = ?\
      """;

  // The primary key.
  private static final String REMOVE =
      """
      DELETE FROM {schema}.outledger_parked
       WHERE subscription = ? AND partition_no = ? AND position = ? AND route = ? AND id = ?\
      """;

  private final LedgerTables tables;
  private final CursorKey key;
  private final AttemptRows attempts;
  private final String park;
  private final String parkAgain;
  private final String failing;

  ParkedWritesBySql(LedgerTables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
    this.attempts = new AttemptRows(tables, key);
    String later = tables.sql().later();
    this.park = PARK.formatted(later);
    this.parkAgain = PARK_AGAIN.formatted(later);
    this.failing = FAIL.formatted(later);
  }

  /** Makes the changes in order. */
  void apply(Connection connection, List<ParkedChange> changes) throws SQLException {
    for (ParkedChange change : changes) {
      if (change instanceof ParkedChange.Park park) {
        park(connection, park);
      } else if (change instanceof ParkedChange.Fail fail) {
        State state =
            new State(fail.state(), fail.blocks(), fail.attempts(), fail.retryIn(), fail.error());
        update(connection, failing, state, change);
      } else if (change instanceof ParkedChange.Remove) {
        remove(connection, change);
      }
    }
    attempts.note(connection, changes);
  }

  /** What changes of a row. */
  private record State(
      ParkedState state,
      boolean blocks,
      int attempts,
      @Nullable Duration retryIn,
      @Nullable String error) {

    String inTable() {
      return state.name().toLowerCase(Locale.ROOT);
    }

    @Nullable Long retryInMillis() {
      return retryIn == null ? null : (Long) retryIn.toMillis();
    }
  }

  private int update(Connection connection, String sql, State state, ParkedChange change)
      throws SQLException {
    return Sql.in(
            tables,
            connection,
            sql,
            state.inTable(),
            state.blocks(),
            state.attempts(),
            state.retryInMillis(),
            text(state.error()),
            key.subscription(),
            key.partition(),
            change.position(),
            change.route(),
            change.id())
        .update();
  }

  private void remove(Connection connection, ParkedChange change) throws SQLException {
    Sql.in(
            tables,
            connection,
            REMOVE,
            key.subscription(),
            key.partition(),
            change.position(),
            change.route(),
            change.id())
        .update();
  }

  private void park(Connection connection, ParkedChange.Park change) throws SQLException {
    ParkedMessage parked = change.message();
    State state =
        new State(
            parked.state(), parked.blocks(), parked.attempts(), change.retryIn(), change.error());
    if (update(connection, parkAgain, state, change) > 0) {
      return;
    }
    if (parked.unreadable() != null) {
      copy(connection, change);
      update(connection, parkAgain, state, change);
    } else {
      insert(connection, state, change);
    }
  }

  private void copy(Connection connection, ParkedChange.Park change) throws SQLException {
    Sql.in(
            tables,
            connection,
            COPY,
            key.subscription(),
            key.partition(),
            change.route(),
            change.position(),
            change.id())
        .update();
  }

  private void insert(Connection connection, State state, ParkedChange.Park change)
      throws SQLException {
    Message message = change.message().message();
    Sql.in(
            tables,
            connection,
            park,
            key.subscription(),
            key.partition(),
            change.position(),
            change.route(),
            state.inTable(),
            state.blocks(),
            state.attempts(),
            state.retryInMillis(),
            text(state.error()),
            message.time(),
            message.id(),
            message.version(),
            message.topic(),
            message.key(),
            message.type(),
            message.payload(),
            HeaderText.encode(message.headers()))
        .update();
  }

  /** Makes a text storable, whatever a broker or a handler put into it. */
  private static @Nullable String text(@Nullable String error) {
    if (error == null) {
      return null;
    }
    StringBuilder text = new StringBuilder(Math.min(error.length(), ERROR_CHARS_MAX));
    error
        .codePoints()
        .limit(ERROR_CHARS_MAX)
        .map(
            c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? '?' : c)
        .forEach(text::appendCodePoint);
    return text.toString();
  }
}
