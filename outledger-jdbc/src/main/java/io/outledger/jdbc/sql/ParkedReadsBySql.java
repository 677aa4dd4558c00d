// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads the parked messages for their owner. Thread-safe. */
public final class ParkedReadsBySql {

  /** What {@link #read} reads: the message, then why it is parked. */
  private static final String COLUMNS =
      MessageReader.columns("p", "withdrawn")
          + ", p.route, p.state, p.attempts, p.blocks, p.emptied, p.parked_at";

  /** Rows beyond this many bytes of payloads and headers are left for the next look. */
  private static final long BYTES_MAX = 8L << 20;

  private static final String FROM_MINE =
      " FROM {schema}.outledger_parked p WHERE p.subscription = ? AND p.partition_no = ?";

  // Where they stand: outledger_parked_due and outledger_parked_requested. Those asked for first.
  private static final String DUE =
      """
      SELECT p.route, p.position, p.id%s
         AND NOT p.withdrawn
         AND p.route IN (%s)
         AND (p.requested = 'retry'
              OR (p.state = 'retrying' AND p.next_attempt_at <= {now}))
       ORDER BY CASE WHEN p.requested = 'retry' THEN 0 ELSE 1 END, p.next_attempt_at, p.position
       LIMIT ?\
      """;

  // The primary key.
  private static final String ONE =
      "SELECT %s%s AND p.position = ? AND p.route = ? AND p.id = ?".formatted(COLUMNS, FROM_MINE);

  // outledger_parked_key, in its order; of those found, the earliest ledger's alone.
  private static final String HELD =
      """
      SELECT first.route, first.position, first.id
        FROM (SELECT h.*, MAX(h.emptied) OVER () AS earliest
                FROM (SELECT p.route, p.position, p.id, p.emptied%s
                         AND p.route = ? AND p.message_key = ? AND p.state = 'held'
                       ORDER BY p.emptied DESC, p.position LIMIT ?) h) first
       WHERE first.emptied = first.earliest\
      """
          .formatted(FROM_MINE);

  // outledger_parked_requested, in its order.
  private static final String DISCARDS =
      """
      SELECT p.route, p.position, p.id%s
         AND %s AND (p.withdrawn OR p.state <> 'held')
         AND (p.route, p.position, p.id) > (?, ?, ?)
       ORDER BY p.route, p.position, p.id LIMIT ?\
      """;

  // What is asked for in outledger_parked_requested, what is due in outledger_parked_due.
  private static final String WITH_WORK =
      """
      SELECT p.partition_no FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no IN (%1$s) AND %2$s
      UNION
      SELECT p.partition_no FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no IN (%1$s) AND p.route = ''
         AND p.state = 'retrying' AND p.next_attempt_at <= {now}\
      """;

  // All rows of the subscription; once for each lease.
  private static final String BLOCKED =
      """
      SELECT p.route, p.message_key, COUNT(*), COUNT(CASE WHEN p.state <> 'held' THEN 1 END)%s
         AND p.blocks AND p.message_key IS NOT NULL
       GROUP BY p.route, p.message_key
      HAVING COUNT(CASE WHEN p.state <> 'held' THEN 1 END) > 0\
      """
          .formatted(FROM_MINE);

  // outledger_parked_key, of the routes.
  private static final String RELEASABLE =
      """
      SELECT p.route, p.message_key, COUNT(*)%s
         AND p.blocks AND p.message_key IS NOT NULL AND p.route IN (%s)
       GROUP BY p.route, p.message_key
      HAVING COUNT(CASE WHEN p.state <> 'held' THEN 1 END) = 0
       LIMIT ?\
      """;

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
  private static final String OF_ROUTES =
      """
      SELECT p.route, COUNT(*)%s
       GROUP BY p.route ORDER BY p.route\
      """
          .formatted(FROM_MINE);

  private final LedgerTables tables;
  private final CursorKey key;
  private final String isRequested;
  private final String discards;

  /**
   * Creates it, without I/O.
   *
   * @param isRequested a part of a condition, about a row {@code p}: an operator has asked for
   *     something, or has withdrawn it
   * @param isDiscarded likewise: an operator has discarded it. The index of requests is used by
   *     both
   */
  public ParkedReadsBySql(
      LedgerTables tables, CursorKey key, String isRequested, String isDiscarded) {
    this.tables = tables;
    this.key = key;
    this.isRequested = isRequested;
    this.discards = DISCARDS.formatted(FROM_MINE, isDiscarded);
  }

  /** See {@link io.outledger.store.RelayStore#due}. */
  public List<ParkedMessage> due(
      Connection connection, Set<String> routes, Set<ParkedPlace> except, int limit)
      throws SQLException {
    if (routes.isEmpty()) {
      return List.of();
    }
    List<Object> values = new ArrayList<>(List.of(key.subscription(), key.partition()));
    values.addAll(routes);
    values.add(limit + except.size());
    String due = DUE.formatted(FROM_MINE, marks(routes));
    List<ParkedPlace> places =
        new ArrayList<>(Sql.in(tables, connection, due, values.toArray()).rows(this::place));
    places.removeAll(except);
    return load(connection, places.subList(0, Math.min(limit, places.size())));
  }

  /** See {@link io.outledger.store.RelayStore#parkedElsewhere}. */
  public Map<String, Long> elsewhere(Connection connection, Set<String> routes)
      throws SQLException {
    Map<String, Long> counts = new LinkedHashMap<>();
    Sql.in(tables, connection, OF_ROUTES, key.subscription(), key.partition())
        .rows(row -> counts.put(row.getString(1), row.getLong(2)));
    counts.keySet().removeAll(routes);
    return counts;
  }

  /** See {@link io.outledger.store.RelayStore#held}. */
  public List<ParkedMessage> held(Connection connection, String route, String messageKey, int limit)
      throws SQLException {
    return load(
        connection,
        Sql.in(
                tables,
                connection,
                HELD,
                key.subscription(),
                key.partition(),
                route,
                messageKey,
                limit)
            .rows(this::place));
  }

  /** See {@link io.outledger.store.RelayStore#discards}. */
  public List<ParkedMessage> discards(Connection connection, ParkedPlace after, int limit)
      throws SQLException {
    return load(
        connection,
        Sql.in(
                tables,
                connection,
                discards,
                key.subscription(),
                key.partition(),
                after.route(),
                after.position(),
                after.id(),
                limit)
            .rows(this::place));
  }

  /** See {@link RelayStories#partitionsWithWork}. */
  public Set<Integer> partitionsWithWork(Connection connection, Set<Integer> partitions)
      throws SQLException {
    List<Object> values = new ArrayList<>(List.of(key.subscription()));
    values.addAll(partitions);
    values.addAll(List.copyOf(values));
    String text = WITH_WORK.formatted(marks(partitions), isRequested);
    return Set.copyOf(
        Sql.in(tables, connection, text, values.toArray()).rows(row -> row.getInt(1)));
  }

  /** See {@link io.outledger.store.RelayStore#releasable}. */
  public List<LeaseGrant.BlockedKey> releasable(
      Connection connection, Set<String> routes, int limit) throws SQLException {
    List<Object> values = new ArrayList<>(List.of(key.subscription(), key.partition()));
    values.addAll(routes);
    values.add(limit);
    String releasable = RELEASABLE.formatted(FROM_MINE, marks(routes));
    return Sql.in(tables, connection, releasable, values.toArray())
        .rows(
            row ->
                new LeaseGrant.BlockedKey(row.getString(1), row.getString(2), row.getLong(3), 0));
  }

  private static String marks(Set<?> routes) {
    return String.join(", ", Collections.nCopies(routes.size(), "?"));
  }

  /** Returns the keys that messages block which are retried or dead. */
  List<LeaseGrant.BlockedKey> blocked(Connection connection) throws SQLException {
    return Sql.in(tables, connection, BLOCKED, key.subscription(), key.partition())
        .rows(
            row ->
                new LeaseGrant.BlockedKey(
                    row.getString(1), row.getString(2), row.getLong(3), row.getLong(4)));
  }

  /** Returns where messages are parked that, as a frontier has it, are to be read. */
  List<ParkedPlace> among(Connection connection, Frontier frontier) throws SQLException {
    return Sql.in(tables, connection, FROM, key.subscription(), key.partition(), frontier.lowest())
        .rows(this::place)
        .stream()
        .filter(place -> !frontier.isSettled(place.position()))
        .toList();
  }

  /** Loads rows in order of position, as many as together are not too large. */
  private List<ParkedMessage> load(Connection connection, Collection<ParkedPlace> places)
      throws SQLException {
    List<ParkedPlace> ordered = places.stream().sorted(ParkedPlace.byPosition()).toList();
    List<ParkedMessage> loaded = new ArrayList<>();
    MessageReader reader = new MessageReader(tables.values(), BYTES_MAX);
    for (ParkedPlace place : ordered) {
      List<ParkedMessage> row =
          Sql.in(
                  tables,
                  connection,
                  ONE,
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

  private ParkedPlace place(ResultSet row) throws SQLException {
    return new ParkedPlace(row.getString(1), row.getLong(2), tables.values().uuid(row, 3));
  }

  private ParkedMessage read(ResultSet row, MessageReader reader) throws SQLException {
    LedgerMessage read = reader.read(row);
    int at = MessageReader.COLUMNS + 1;
    return new ParkedMessage(
        read.position(),
        row.getString(at),
        read.message(),
        ParkedState.valueOf(row.getString(at + 1).toUpperCase(Locale.ROOT)),
        row.getInt(at + 2),
        row.getBoolean(at + 3),
        read.unreadable(),
        read.erased(),
        row.getInt(at + 4),
        tables.values().time(row, at + 5));
  }
}
