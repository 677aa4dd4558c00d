// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.frontier.Frontier;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Reads the parked messages for their owner. */
final class ParkedReads {

  /** What {@link #read} reads: the message, then why it is parked. */
  static final String COLUMNS =
      MessageReader.columns("p") + ", p.route, p.state, p.attempts, p.blocks";

  /** The number of the first column after them. */
  static final int NEXT_COLUMN = MessageReader.COLUMNS + 5;

  /** Rows beyond this many bytes of payloads and headers are left for the next look. */
  private static final long BYTES_MAX = 8L << 20;

  private static final String FROM_MINE =
      " FROM {schema}.outledger_parked p WHERE p.subscription = ? AND p.partition = ?";

  // Where they stand: outledger_parked_due and outledger_parked_requested. Those asked for first.
  private static final String DUE =
      """
      SELECT p.route, p.position, p.id%s
         AND p.route IN (SELECT w.route FROM UNNEST(CAST(? AS VARCHAR ARRAY)) AS w (route))
         AND (p.requested = 'retry'
              OR (p.state = 'retrying' AND p.next_attempt_at <= CURRENT_TIMESTAMP))
       ORDER BY CASE WHEN p.requested = 'retry' THEN 0 ELSE 1 END, p.next_attempt_at, p.position
       LIMIT ?\
      """
          .formatted(FROM_MINE);

  // The primary key.
  private static final String ONE =
      "SELECT %s%s AND p.position = ? AND p.route = ? AND p.id = ?".formatted(COLUMNS, FROM_MINE);

  // outledger_parked_key, in its order; of those found, the earliest ledger's alone.
  private static final String HELD =
      """
      SELECT first.route, first.position, first.id
        FROM (SELECT h.*, MAX(h.emptied) OVER () AS earliest
                FROM (SELECT p.route, p.position, p.id, p.emptied%s
                         AND p.route = ? AND p."KEY" = ? AND p.state = 'held'
                       ORDER BY p.emptied DESC, p.position LIMIT ?) h) first
       WHERE first.emptied = first.earliest\
      """
          .formatted(FROM_MINE);

  // outledger_parked_requested, in its order.
  private static final String DISCARDS =
      """
      SELECT p.route, p.position, p.id%s AND p.requested = 'discard' AND p.state <> 'held'
         AND (p.route, p.position, p.id) > (?, ?, ?)
       ORDER BY p.route, p.position, p.id LIMIT ?\
      """
          .formatted(FROM_MINE);

  // All rows of the subscription; once for each lease.
  private static final String BLOCKED =
      """
      SELECT p.route, p."KEY", COUNT(*), COUNT(*) FILTER (WHERE p.state <> 'held')%s
         AND p.blocks AND p."KEY" IS NOT NULL
       GROUP BY p.route, p."KEY"\
      """
          .formatted(FROM_MINE);

  // The primary key, from the first open position on; only rows at open positions are returned. One
  // probe of the ledger for each: a row of another message than the ledger has there is of an
  // earlier ledger, and must not hide that message.
  private static final String FROM =
      """
      SELECT p.route, p.position, p.id%s AND p.position >= ?
         AND EXISTS (SELECT 1 FROM {schema}.outledger_message m
                      WHERE m.position = p.position AND m.id = p.id)\
      """
          .formatted(FROM_MINE);

  // All rows of the subscription; once for each lease, and every ten minutes.
  private static final String ELSEWHERE =
      """
      SELECT p.route, COUNT(*)%s
         AND p.route NOT IN (SELECT w.route FROM UNNEST(CAST(? AS VARCHAR ARRAY)) AS w (route))
       GROUP BY p.route ORDER BY p.route\
      """
          .formatted(FROM_MINE);

  private final Tables tables;
  private final CursorKey key;

  ParkedReads(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
  }

  List<ParkedMessage> due(
      Connection connection, Set<String> routes, Set<ParkedPlace> except, int limit)
      throws SQLException {
    List<ParkedPlace> places =
        new ArrayList<>(
            Sql.of(
                    connection,
                    tables.in(DUE),
                    key.subscription(),
                    key.partition(),
                    routes.toArray(),
                    limit + except.size())
                .rows(ParkedReads::place));
    places.removeAll(except);
    return load(connection, places.subList(0, Math.min(limit, places.size())));
  }

  Map<String, Long> elsewhere(Connection connection, Set<String> routes) throws SQLException {
    Map<String, Long> counts = new LinkedHashMap<>();
    Sql.of(connection, tables.in(ELSEWHERE), key.subscription(), key.partition(), routes.toArray())
        .rows(row -> counts.put(row.getString(1), row.getLong(2)));
    return counts;
  }

  List<ParkedMessage> held(Connection connection, String route, String messageKey, int limit)
      throws SQLException {
    return load(
        connection,
        Sql.of(
                connection,
                tables.in(HELD),
                key.subscription(),
                key.partition(),
                route,
                messageKey,
                limit)
            .rows(ParkedReads::place));
  }

  List<ParkedMessage> discards(Connection connection, ParkedPlace after, int limit)
      throws SQLException {
    return load(
        connection,
        Sql.of(
                connection,
                tables.in(DISCARDS),
                key.subscription(),
                key.partition(),
                after.route(),
                after.position(),
                after.id(),
                limit)
            .rows(ParkedReads::place));
  }

  List<LeaseGrant.BlockedKey> blocked(Connection connection) throws SQLException {
    return Sql.of(connection, tables.in(BLOCKED), key.subscription(), key.partition())
        .rows(
            row ->
                new LeaseGrant.BlockedKey(
                    row.getString(1), row.getString(2), row.getLong(3), row.getLong(4)));
  }

  /** Returns where messages are parked that, as a frontier has it, are to be read. */
  List<ParkedPlace> among(Connection connection, Frontier frontier) throws SQLException {
    return Sql.of(
            connection, tables.in(FROM), key.subscription(), key.partition(), frontier.lowest())
        .rows(ParkedReads::place)
        .stream()
        .filter(place -> !frontier.isSettled(place.position()))
        .toList();
  }

  /** Loads rows in order of position, as many as together are not too large. */
  private List<ParkedMessage> load(Connection connection, Collection<ParkedPlace> places)
      throws SQLException {
    List<ParkedPlace> ordered = places.stream().sorted(ParkedPlace.byPosition()).toList();
    List<ParkedMessage> loaded = new ArrayList<>();
    MessageReader reader = new MessageReader(BYTES_MAX);
    for (ParkedPlace place : ordered) {
      List<ParkedMessage> row =
          Sql.of(
                  connection,
                  tables.in(ONE),
                  key.subscription(),
                  key.partition(),
                  place.position(),
                  place.route(),
                  place.id())
              .rows(each -> read(each, reader));
      loaded.addAll(row);
      if (reader.whole() < loaded.size()) {
        return List.copyOf(loaded.subList(0, reader.whole()));
      }
    }
    return loaded;
  }

  static ParkedPlace place(ResultSet row) throws SQLException {
    return new ParkedPlace(row.getString(1), row.getLong(2), row.getObject(3, UUID.class));
  }

  static ParkedMessage read(ResultSet row, MessageReader reader) throws SQLException {
    LedgerMessage read = reader.read(row);
    int at = MessageReader.COLUMNS + 1;
    return new ParkedMessage(
        read.position(),
        row.getString(at),
        read.message(),
        ParkedState.valueOf(row.getString(at + 1).toUpperCase(Locale.ROOT)),
        row.getInt(at + 2),
        row.getBoolean(at + 3),
        read.unreadable());
  }
}
