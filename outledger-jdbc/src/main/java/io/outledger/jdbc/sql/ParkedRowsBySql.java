// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.Message;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.ErrorText;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sets messages aside, many with one statement: a save after an outage parks thousands, and a round
 * trip for each would outlast the lease. Thread-safe.
 */
final class ParkedRowsBySql {

  /** How many rows one statement looks for, or inserts, at most. */
  static final int ROWS_MAX = 250;

  /** What one insertion takes, about; a row that is larger goes alone. */
  private static final int BYTES_MAX = 1 << 18;

  private static final int CHAR_BYTES = 3;

  // The primary key, between the lowest and the highest position.
  private static final String THERE =
      """
      SELECT route, position, id FROM {schema}.outledger_parked
       WHERE subscription = ? AND partition_no = ? AND position BETWEEN ? AND ?
         AND position IN (%s)\
      """;

  private static final String PARK =
      """
      INSERT INTO {schema}.outledger_parked
             (subscription, partition_no, position, route, state, blocks, attempts, next_attempt_at,
              error, time, id, version, topic, message_key, type, payload, headers, parked_at,
              changed_at)
      VALUES %s\
      """;
  private static final String ROW =
      "(?, ?, ?, ?, ?, ?, ?, %s, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now}, {now})";

  // A message that cannot be read, or is large: copied as it stands in the ledger. Its state is set
  // by the statement that follows. Of one that was erased since it was read nothing is left to
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

  // The primary key. A message that is read again may meet what was parked of it before: the newer
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

  private final LedgerTables tables;
  private final CursorKey key;
  private final String row;
  private final String parkAgain;

  ParkedRowsBySql(LedgerTables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
    String later = tables.sql().later();
    this.row = ROW.formatted(later);
    this.parkAgain = PARK_AGAIN.formatted(later);
  }

  /** What changes of a row. */
  record State(
      ParkedState state,
      boolean blocks,
      int attempts,
      @Nullable Duration retryIn,
      @Nullable String error) {

    private static State of(ParkedChange.Park change) {
      ParkedMessage parked = change.message();
      return new State(
          parked.state(), parked.blocks(), parked.attempts(), change.retryIn(), change.error());
    }

    private List<@Nullable Object> values() {
      return Arrays.asList(
          state.name().toLowerCase(Locale.ROOT),
          blocks,
          attempts,
          retryIn == null ? null : (Long) retryIn.toMillis(),
          ErrorText.storable(error));
    }
  }

  /**
   * Sets messages aside, each at a place of its own.
   *
   * @return the places that had no row before
   */
  Set<ParkedPlace> park(Connection connection, Map<ParkedPlace, ParkedChange.Park> changes)
      throws SQLException {
    Set<ParkedPlace> inserted = new HashSet<>();
    List<Map.Entry<ParkedPlace, ParkedChange.Park>> all =
        changes.entrySet().stream()
            .sorted(Map.Entry.comparingByKey(ParkedPlace.byPosition()))
            .toList();
    for (int from = 0; from < all.size(); from += ROWS_MAX) {
      inserted.addAll(
          parkSome(connection, all.subList(from, Math.min(all.size(), from + ROWS_MAX))));
    }
    return inserted;
  }

  private Set<ParkedPlace> parkSome(
      Connection connection, List<Map.Entry<ParkedPlace, ParkedChange.Park>> some)
      throws SQLException {
    Set<ParkedPlace> there =
        there(connection, some.stream().map(each -> each.getKey().position()).toList());
    Set<ParkedPlace> inserted = new HashSet<>();
    List<ParkedChange.Park> readable = new ArrayList<>();
    for (Map.Entry<ParkedPlace, ParkedChange.Park> each : some) {
      ParkedChange.Park change = each.getValue();
      if (there.contains(each.getKey()) && parkAgain(connection, change)) {
        continue;
      }
      inserted.add(each.getKey());
      boolean isSent = change.message().unreadable() == null && !isLarge(change);
      if (isSent || copy(connection, change) == 0) {
        readable.add(change);
      } else {
        parkAgain(connection, change);
      }
    }
    insert(connection, readable);
    return inserted;
  }

  /**
   * Returns whether a message's payload had better stay in the database: what it took when it was
   * appended need not fit beside the reason why the message is parked.
   */
  private static boolean isLarge(ParkedChange.Park change) {
    return change.message().message().payload().length > BYTES_MAX;
  }

  /** Returns what is parked at positions, which are sorted. */
  private Set<ParkedPlace> there(Connection connection, List<Long> positions) throws SQLException {
    List<Object> values = new ArrayList<>(List.of(key.subscription(), key.partition()));
    values.add(positions.get(0));
    values.add(positions.get(positions.size() - 1));
    values.addAll(positions);
    String there = THERE.formatted(times("?", positions.size()));
    return new HashSet<>(
        Sql.in(tables, connection, there, values.toArray())
            .rows(
                each ->
                    new ParkedPlace(
                        each.getString(1), each.getLong(2), tables.values().uuid(each, 3))));
  }

  /** Returns whether there was a row. */
  private boolean parkAgain(Connection connection, ParkedChange.Park change) throws SQLException {
    return update(connection, parkAgain, State.of(change), change) > 0;
  }

  /** Changes a row by a statement whose parameters are a state and a place. */
  int update(Connection connection, String sql, State state, ParkedChange change)
      throws SQLException {
    List<@Nullable Object> values = new ArrayList<>(state.values());
    values.addAll(List.of(key.subscription(), key.partition(), change.position()));
    values.addAll(List.of(change.route(), change.id()));
    return Sql.in(tables, connection, sql, values.toArray()).update();
  }

  /** Returns how many rows that were: none where the ledger has not got the message any more. */
  private int copy(Connection connection, ParkedChange.Park change) throws SQLException {
    return Sql.in(
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

  private void insert(Connection connection, List<ParkedChange.Park> changes) throws SQLException {
    List<@Nullable Object> values = new ArrayList<>();
    int rows = 0;
    long bytes = 0;
    for (ParkedChange.Park change : changes) {
      List<@Nullable Object> next = values(change);
      long more = next.stream().mapToLong(ParkedRowsBySql::bytes).sum();
      if (rows > 0 && bytes + more > BYTES_MAX) {
        insert(connection, rows, values);
        values.clear();
        rows = 0;
        bytes = 0;
      }
      values.addAll(next);
      rows++;
      bytes += more;
    }
    if (rows > 0) {
      insert(connection, rows, values);
    }
  }

  private void insert(Connection connection, int rows, List<@Nullable Object> values)
      throws SQLException {
    Sql.in(tables, connection, PARK.formatted(times(row, rows)), values.toArray()).update();
  }

  private List<@Nullable Object> values(ParkedChange.Park change) {
    Message message = change.message().message();
    List<@Nullable Object> values = new ArrayList<>();
    values.addAll(List.of(key.subscription(), key.partition(), change.position(), change.route()));
    values.addAll(State.of(change).values());
    values.addAll(List.of(message.time(), message.id(), message.version(), message.topic()));
    values.add(message.key());
    values.addAll(List.of(message.type(), message.payload()));
    values.add(HeaderText.encode(message.headers()));
    return values;
  }

  private static long bytes(@Nullable Object value) {
    if (value instanceof byte[] payload) {
      return payload.length;
    }
    return value instanceof String text ? (long) text.length() * CHAR_BYTES : Long.BYTES;
  }

  private static String times(String part, int count) {
    return String.join(", ", Collections.nCopies(count, part));
  }
}
