// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.PayloadLimit;
import io.outledger.store.LeaseGrant;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Reads the parked messages for their owner. */
final class ParkedReads {

  /** What {@link #read(ResultSet, MessageReader)} reads. */
  static final String COLUMNS =
      """
      p.position, p.route, p.state, p.attempts, p.blocks, p.time, p.id, p.version, p.topic,
      p.message_key, p.type, CASE WHEN octet_length(p.payload) <= %s THEN p.payload END, p.headers\
      """
          .formatted(PayloadLimit.bytes());

  /**
   * Rows beyond this many bytes of payloads and headers are left for the next look; the first
   * always comes.
   */
  private static final long BYTES_MAX = 8L << 20;

  // The first rows of a list, in its order, that together are not too large to load.
  private static final String FITTING =
      """
      SELECT %s, p.withdrawn, p.emptied, p.parked_at
        FROM (SELECT p.*, sum(p.bytes) OVER (ORDER BY p.position, p.route, p.id) - p.bytes
                     AS bytes_before
                FROM (SELECT p.*, octet_length(p.payload) + %s AS bytes FROM (%s) p) p) p
       WHERE p.bytes_before < %s
       ORDER BY p.position, p.route, p.id\
      """;

  /** The first of the columns of the message itself. */
  static final int MESSAGE_FROM = 6;

  // The first rows of outledger_parked_due and of outledger_parked_requested for each route, and as
  // many more as are being tried; then the primary key for those returned, which OFFSET 0 makes the
  // planner look up one by one. However many are due, no more is read.
  private static final String DUE =
      """
      SELECT p.*
        FROM (SELECT ready.position, ready.route, ready.id
                FROM (SELECT waited.position, waited.route, waited.id,
                             waited.next_attempt_at AS since
                        FROM unnest(?::text[]) AS wanted (route)
                       CROSS JOIN LATERAL (
                             SELECT r.position, r.route, r.id, r.next_attempt_at
                               FROM {schema}.outledger_parked r
                              WHERE r.subscription = ? AND r.partition_no = ?
                                AND r.route = wanted.route AND r.state = 'retrying'
                                AND NOT r.withdrawn
                                AND r.next_attempt_at <= (SELECT clock_timestamp())
                              ORDER BY r.next_attempt_at, r.position, r.id LIMIT ?) waited
                      UNION ALL
                      SELECT asked.position, asked.route, asked.id, NULL
                        FROM unnest(?::text[]) AS wanted (route)
                       CROSS JOIN LATERAL (
                             SELECT r.position, r.route, r.id FROM {schema}.outledger_parked r
                              WHERE r.subscription = ? AND r.partition_no = ?
                                AND r.requested = 'retry' AND NOT r.withdrawn
                                AND r.route = wanted.route
                              ORDER BY r.position LIMIT ?) asked) ready
               WHERE NOT EXISTS (SELECT
                                   FROM unnest(?::text[], ?::bigint[], ?::uuid[])
                                        AS busy (route, position, id)
                                  WHERE busy.route = ready.route AND busy.position = ready.position
                                    AND busy.id = ready.id)
               GROUP BY ready.position, ready.route, ready.id
               ORDER BY bool_or(ready.since IS NULL) DESC, min(ready.since), ready.position
               LIMIT ?) due
       CROSS JOIN LATERAL (
             SELECT r.* FROM {schema}.outledger_parked r
              WHERE r.subscription = ? AND r.partition_no = ? AND r.position = due.position
                AND r.route = due.route AND r.id = due.id OFFSET 0) p\
      """;

  // outledger_parked_blocking, in its order; of those found, the earliest ledger's alone.
  private static final String HELD =
      """
      SELECT first.*
        FROM (SELECT h.*, max(h.emptied) OVER () AS earliest
                FROM (SELECT p.* FROM {schema}.outledger_parked p
                       WHERE p.subscription = ? AND p.partition_no = ? AND p.route = ?
                         AND hashtextextended(p.message_key, 0) = hashtextextended(?::text, 0)
                         AND p.message_key = ? AND p.state = 'held'
                       ORDER BY p.emptied DESC, p.position LIMIT ?) h) first
       WHERE first.emptied = first.earliest\
      """;

  // outledger_parked_requested, in its order.
  private static final String DISCARDS =
      """
      SELECT p.* FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no = ? AND p.requested = 'discard'
         AND (p.withdrawn OR p.state <> 'held') AND (p.route, p.position, p.id) > (?, ?, ?)
       ORDER BY p.route, p.position, p.id LIMIT ?\
      """;

  // For each partition a step in outledger_parked_requested, and one in outledger_parked_due.
  private static final String WITH_WORK =
      """
      SELECT part.no::int FROM unnest(?::bigint[]) AS part (no)
       WHERE EXISTS (SELECT FROM {schema}.outledger_parked r
                      WHERE r.subscription = ? AND r.partition_no = part.no
                        AND r.requested IN ('retry', 'discard'))
          OR EXISTS (SELECT FROM {schema}.outledger_parked r
                      WHERE r.subscription = ? AND r.partition_no = part.no AND r.route = ''
                        AND r.state = 'retrying' AND NOT r.withdrawn
                        AND r.next_attempt_at <= (SELECT clock_timestamp()))\
      """;

  // outledger_parked_blocking, all of the subscription's; once for each lease.
  private static final String BLOCKED =
      """
      SELECT p.route, p.message_key, count(*), count(*) FILTER (WHERE p.state <> 'held')
        FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no = ? AND p.blocks AND p.message_key IS NOT NULL
       GROUP BY p.route, p.message_key
      HAVING count(*) FILTER (WHERE p.state <> 'held') > 0\
      """;

  // outledger_parked_blocking, of the routes.
  private static final String RELEASABLE =
      """
      SELECT p.route, p.message_key, count(*), 0
        FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no = ? AND p.blocks AND p.message_key IS NOT NULL
         AND p.route = ANY (?)
       GROUP BY p.route, p.message_key
      HAVING bool_and(p.state = 'held')
       LIMIT ?\
      """;

  // The primary key, from the first open position on; only rows at open positions are returned. One
  // probe of the ledger for each, which OFFSET 0 has the planner make one by one: a row of another
  // message than the ledger has there is of an earlier ledger, and must not hide that message.
  private static final String FROM =
      """
      SELECT p.route, p.position, p.id FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no = ? AND p.position >= ?
         AND EXISTS (SELECT FROM {schema}.outledger_message m
                      WHERE m.position = p.position AND m.id = p.id OFFSET 0)\
      """;

  // All rows of the subscription; once for each lease, and every ten minutes.
  private static final String ELSEWHERE =
      """
      SELECT p.route, count(*) FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no = ? AND NOT p.route = ANY (?)
       GROUP BY p.route ORDER BY p.route\
      """;

  private static final int FETCHED_AT_ONCE = 10_000;

  private final String due;
  private final String held;
  private final String discards;
  private final String withWork;
  private final String blocked;
  private final String releasable;
  private final String from;
  private final String elsewhere;
  private final CursorKey key;

  ParkedReads(Tables tables, CursorKey key) {
    this.due = tables.in(fitting(DUE));
    this.held = tables.in(fitting(HELD));
    this.discards = tables.in(fitting(DISCARDS));
    this.withWork = tables.in(WITH_WORK);
    this.blocked = tables.in(BLOCKED);
    this.releasable = tables.in(RELEASABLE);
    this.from = tables.in(FROM);
    this.elsewhere = tables.in(ELSEWHERE);
    this.key = key;
  }

  private static String fitting(String list) {
    return FITTING.formatted(
        COLUMNS, MessageReader.HEADER_BYTES.formatted("p.headers"), list, BYTES_MAX);
  }

  List<ParkedMessage> due(Session session, Set<String> routes, Set<ParkedPlace> except, int limit)
      throws SQLException {
    List<ParkedPlace> busy = List.copyOf(except);
    PreparedStatement statement = session.prepare(due);
    int at = 1;
    for (int each = 0; each < 2; each++) {
      statement.setArray(at, session.array(routes));
      at = key.bind(statement, at + 1);
      statement.setInt(at++, limit + busy.size());
    }
    statement.setArray(at++, session.array(busy.stream().map(ParkedPlace::route).toList()));
    long[] positions = busy.stream().mapToLong(ParkedPlace::position).toArray();
    statement.setArray(at++, session.array(positions));
    statement.setArray(
        at++, session.array(busy.stream().map(place -> place.id().toString()).toList()));
    statement.setInt(at++, limit);
    key.bind(statement, at);
    return read(statement);
  }

  Map<String, Long> elsewhere(Session session, Set<String> routes) throws SQLException {
    PreparedStatement statement = session.prepare(elsewhere);
    statement.setArray(key.bind(statement, 1), session.array(routes));
    Map<String, Long> counts = new LinkedHashMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        counts.put(rows.getString(1), rows.getLong(2));
      }
    }
    return counts;
  }

  List<ParkedMessage> held(Session session, String route, String messageKey, int limit)
      throws SQLException {
    PreparedStatement statement = session.prepare(held);
    int at = key.bind(statement, 1);
    statement.setString(at++, route);
    statement.setString(at++, messageKey);
    statement.setString(at++, messageKey);
    statement.setInt(at, limit);
    return read(statement);
  }

  List<ParkedMessage> discards(Session session, ParkedPlace after, int limit) throws SQLException {
    PreparedStatement statement = session.prepare(discards);
    int at = key.bind(statement, 1);
    statement.setString(at++, after.route());
    statement.setLong(at++, after.position());
    statement.setObject(at++, after.id());
    statement.setInt(at, limit);
    return read(statement);
  }

  Set<Integer> partitionsWithWork(Session session, Set<Integer> partitions) throws SQLException {
    PreparedStatement statement = session.prepare(withWork);
    long[] numbers = partitions.stream().mapToLong(Integer::longValue).toArray();
    statement.setArray(1, session.array(numbers));
    statement.setString(2, key.subscription());
    statement.setString(3, key.subscription());
    Set<Integer> busy = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        busy.add(rows.getInt(1));
      }
    }
    return busy;
  }

  List<LeaseGrant.BlockedKey> blocked(Session session) throws SQLException {
    PreparedStatement statement = session.prepare(blocked);
    statement.setFetchSize(FETCHED_AT_ONCE);
    key.bind(statement, 1);
    return keys(statement);
  }

  List<LeaseGrant.BlockedKey> releasable(Session session, Set<String> routes, int limit)
      throws SQLException {
    PreparedStatement statement = session.prepare(releasable);
    int at = key.bind(statement, 1);
    statement.setArray(at++, session.array(routes));
    statement.setInt(at, limit);
    return keys(statement);
  }

  private static List<LeaseGrant.BlockedKey> keys(PreparedStatement statement) throws SQLException {
    List<LeaseGrant.BlockedKey> keys = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        keys.add(
            new LeaseGrant.BlockedKey(
                rows.getString(1), rows.getString(2), rows.getLong(3), rows.getLong(4)));
      }
    }
    return keys;
  }

  /** Returns where messages are parked that, as a frontier has it, are to be read. */
  List<ParkedPlace> among(Session session, Frontier frontier) throws SQLException {
    PreparedStatement statement = session.prepare(from);
    statement.setFetchSize(FETCHED_AT_ONCE);
    statement.setLong(key.bind(statement, 1), frontier.lowest());
    List<ParkedPlace> places = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        long position = rows.getLong(2);
        if (!frontier.isSettled(position)) {
          places.add(new ParkedPlace(rows.getString(1), position, rows.getObject(3, UUID.class)));
        }
      }
    }
    return places;
  }

  private static ParkedMessage read(ResultSet row, MessageReader reader) throws SQLException {
    Message message = reader.read(row);
    ParkedState state = ParkedState.valueOf(row.getString(3).toUpperCase(Locale.ROOT));
    return new ParkedMessage(
        row.getLong(1),
        row.getString(2),
        message,
        state,
        row.getInt(4),
        row.getBoolean(5),
        reader.unreadable(),
        row.getBoolean(MESSAGE_FROM + 8),
        row.getInt(MESSAGE_FROM + 9),
        row.getObject(MESSAGE_FROM + 10, OffsetDateTime.class).toInstant());
  }

  private static List<ParkedMessage> read(PreparedStatement statement) throws SQLException {
    MessageReader reader = MessageReader.ofParked();
    List<ParkedMessage> parked = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        parked.add(read(rows, reader));
      }
    }
    return parked;
  }
}
