// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.Message;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Changes the parked messages, in the transaction of the save that carries the changes. */
final class ParkedWrites {

  private static final int ERROR_CHARS_MAX = 4000;

  private static final String COLUMNS =
      """
      INSERT INTO {schema}.outledger_parked
             (subscription, partition, position, route, state, blocks, attempts, next_attempt_at,
              error, time, id, version, topic, "KEY", type, payload, headers)
      SELECT CAST(? AS VARCHAR), CAST(? AS INTEGER), CAST(? AS BIGINT), CAST(? AS VARCHAR),
             CAST(? AS VARCHAR), CAST(? AS BOOLEAN), CAST(? AS INTEGER),
             DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP), CAST(? AS VARCHAR),
      """;

  private static final String PARK =
      COLUMNS
          + """
                 CAST(? AS TIMESTAMP(6) WITH TIME ZONE), CAST(? AS UUID), CAST(? AS INTEGER),
                 CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR),
                 CAST(? AS BINARY LARGE OBJECT),
                 CAST(? AS VARCHAR)\
          """;

  // A message that cannot be read, or is not to be: copied as it stands in the ledger.
  private static final String PARK_UNREAD =
      COLUMNS
          + """
                 m.time, m.id, m.version, m.topic, m."KEY", m.type, m.payload, m.headers
            FROM {schema}.outledger_message m WHERE m.position = ? AND m.id = ?\
          """;

  // The primary key. A message that is replayed may meet what was parked of it before: the newer
  // truth replaces it, and keeps no old request.
  private static final String PARK_AGAIN =
      """
      UPDATE {schema}.outledger_parked
         SET emptied = 0, state = ?, blocks = ?, requested = NULL, attempts = ?,
             next_attempt_at = DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP),
             error = ?, changed_at = CURRENT_TIMESTAMP
       WHERE subscription = ? AND partition = ? AND position = ? AND route = ? AND id = ?\
      """;

  // The primary key. The attempt answers a request to retry; one to discard, made while it was in
  // flight, is still to be done.
  private static final String FAIL =
      """
      UPDATE {schema}.outledger_parked
         SET state = ?, blocks = ?, requested = NULLIF(requested, 'retry'), attempts = ?,
             next_attempt_at = DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP),
             error = ?, changed_at = CURRENT_TIMESTAMP
       WHERE subscription = ? AND partition = ? AND position = ? AND route = ? AND id = ?\
      """;

  // The primary key.
  private static final String REMOVE =
      """
      DELETE FROM {schema}.outledger_parked
       WHERE subscription = ? AND partition = ? AND position = ? AND route = ? AND id = ?\
      """;

  private final Tables tables;
  private final CursorKey key;

  ParkedWrites(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
  }

  /** Makes the changes in order. */
  void apply(Connection connection, List<ParkedChange> changes) throws SQLException {
    for (ParkedChange change : changes) {
      if (change instanceof ParkedChange.Park park) {
        park(connection, park);
      } else if (change instanceof ParkedChange.Fail fail) {
        State state =
            new State(fail.state(), fail.blocks(), fail.attempts(), fail.retryIn(), fail.error());
        update(connection, FAIL, state, change);
      } else {
        remove(connection, change);
      }
    }
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
    return Sql.of(
            connection,
            tables.in(sql),
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
    Sql.of(
            connection,
            tables.in(REMOVE),
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
    if (update(connection, PARK_AGAIN, state, change) > 0) {
      return;
    }
    Message message = parked.message();
    Object[] first = {
      key.subscription(),
      key.partition(),
      change.position(),
      change.route(),
      state.inTable(),
      state.blocks(),
      state.attempts(),
      state.retryInMillis(),
      text(state.error())
    };
    Object[] rest =
        parked.unreadable() != null
            ? new Object[] {change.position(), change.id()}
            : new Object[] {
              message.time().atOffset(ZoneOffset.UTC), message.id(), message.version(),
              message.topic(), message.key(), message.type(),
              message.payload(), HeaderText.encode(message.headers())
            };
    Object[] all = new Object[first.length + rest.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(rest, 0, all, first.length, rest.length);
    Sql.of(connection, tables.in(parked.unreadable() != null ? PARK_UNREAD : PARK), all).update();
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
