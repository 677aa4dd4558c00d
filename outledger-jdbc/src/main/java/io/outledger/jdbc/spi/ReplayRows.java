// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.jdbc.admin.ReplayRange;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Messages of the ledger that are published once more: copied by the server into the parked rows of
 * a subscription, due at once, for its owner to publish as any that is due. The same on every
 * database. Every method works in the caller's transaction. Thread-safe.
 *
 * <p>A row blocks no key: its owner, who counts the rows of blocked keys in its memory, knows
 * nothing of it before it reads it.
 */
public final class ReplayRows {

  // The primary key of the ledger, and of the parked rows: one that is parked already stays as it
  // is.
  private static final String COPY =
      """
      INSERT INTO {schema}.outledger_parked
             (subscription, partition_no, position, route, state, blocks, attempts,
              next_attempt_at, parked_at, changed_at, request_id, request_attempts, replayed, time,
              id, version, topic, message_key, type, payload, headers)
      SELECT CAST(? AS {varchar}), CAST(? AS {bigint}), m.position, CAST(? AS {varchar}),
             'retrying', FALSE, 0, {now}, {now}, {now}, CAST(? AS {uuid}), 0, TRUE, m.time, m.id,
             m.version, m.topic, m.message_key, m.type, m.payload, m.headers
        FROM {schema}.outledger_message m
       WHERE m.position IN (%s) AND NOT m.erased
         AND NOT EXISTS (SELECT 1 FROM {schema}.outledger_parked p
                          WHERE p.subscription = ? AND p.partition_no = ?
                            AND p.position = m.position AND p.route = ? AND p.id = m.id)
       ORDER BY m.position\
      """;

  // By the primary key of the ledger: a range of it, or single positions.
  private static final String FIT =
      "SELECT m.position, m.id, m.message_key,"
          + " {octet_length}(m.payload) + COALESCE(LENGTH(m.headers), 0)"
          + " FROM {schema}.outledger_message m WHERE ";

  // The primary key.
  private static final String APPENDED =
      "SELECT m.appended_at FROM {schema}.outledger_message m WHERE m.position = ?";

  // A range of the primary key: a request copies each position once.
  private static final String COPIED =
      """
      SELECT p.position FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no = ? AND p.position BETWEEN ? AND ?
         AND p.request_id = ?\
      """;

  // One step along the primary key.
  private static final String NEXT =
      "SELECT MIN(m.position) FROM {schema}.outledger_message m WHERE m.position > ?";

  // Two steps along the primary key.
  private static final String OLDEST =
      """
      SELECT m.time FROM {schema}.outledger_message m
       WHERE m.position = (SELECT MIN(o.position) FROM {schema}.outledger_message o)\
      """;

  private static final String PURGED = "SELECT r.purged_to FROM {schema}.outledger_retention r";

  // The first rows of the index of requests: counting all of them at each step would be quadratic.
  private static final String LEFT =
      """
      SELECT w.waiting, w.bytes, d.dead
        FROM (SELECT COUNT(*) AS waiting, COALESCE(SUM(f.bytes), 0) AS bytes
                FROM (SELECT {octet_length}(p.payload) + COALESCE(LENGTH(p.headers), 0) AS bytes
                        FROM {schema}.outledger_parked p
                       WHERE p.request_id = ? AND p.state IN ('retrying', 'held') LIMIT ?) f) w
       CROSS JOIN
             (SELECT COUNT(*) AS dead
                FROM (SELECT 1 AS one FROM {schema}.outledger_parked p
                       WHERE p.request_id = ? AND p.state = 'dead' LIMIT ?) f) d\
      """;
  private static final String WAITING =
      """
      SELECT %s, p.position FROM {schema}.outledger_parked p
       WHERE p.request_id = ? AND p.state <> 'dead' LIMIT ?\
      """;

  // One that is being published at this moment is removed by its owner as well.
  private static final String REMOVE = "DELETE FROM {schema}.outledger_parked WHERE ";

  private final SqlNaming naming;
  private final RowAddress rows;
  private final CursorKey key;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @param rows how rows are locked and found again
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public ReplayRows(SqlNaming naming, RowAddress rows, CursorKey key) {
    this.naming = Require.nonNull("naming", naming);
    this.rows = Require.nonNull("rows", rows);
    this.key = Require.nonNull("key", key);
  }

  /**
   * Rows that a request has made and that are still there, each counted up to a bound.
   *
   * @param waiting how many are still to be published
   * @param bytes how many bytes of payloads and headers those have
   * @param dead how many are dead letters
   */
  public record Left(long waiting, long bytes, long dead) {}

  /** Returns the position of the first message above one; empty where there is none. */
  public OptionalLong next(Connection transaction, long above) throws SQLException {
    try (PreparedStatement statement = prepared(transaction, NEXT)) {
      statement.setLong(1, above);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        long next = row.getLong(1);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(next);
      }
    }
  }

  /** Returns when the first message of the ledger was created; null where there is none. */
  public @Nullable Instant oldest(Connection transaction) throws SQLException {
    try (PreparedStatement statement = prepared(transaction, OLDEST);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? naming.values().time(row, 1) : null;
    }
  }

  /** Returns when a message was appended; null where it is gone. */
  public @Nullable Instant appendedAt(Connection transaction, long position) throws SQLException {
    try (PreparedStatement statement = prepared(transaction, APPENDED)) {
      statement.setLong(1, position);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? naming.values().time(row, 1) : null;
      }
    }
  }

  /** Returns up to which position retention has removed messages. */
  public long purgedTo(Connection transaction) throws SQLException {
    try (PreparedStatement statement = prepared(transaction, PURGED);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /**
   * A message of the ledger that fits.
   *
   * @param position its position
   * @param id its id
   * @param key its key; null for none
   * @param bytes how many bytes its payload and headers have
   */
  public record Fit(long position, UUID id, @Nullable String key, long bytes) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if the id is null
     */
    public Fit {
      Require.nonNull("id", id);
    }
  }

  /**
   * Returns the messages that fit, in the order of the ledger.
   *
   * @param above only those above this position
   * @param upTo only those up to this position
   * @param limit at most this many
   */
  public List<Fit> fitting(
      Connection transaction, ReplayRange range, long above, long upTo, int limit)
      throws SQLException {
    Require.nonNull("range", range);
    StringBuilder sql = new StringBuilder(FIT + "m.position > ? AND m.position <= ?");
    List<Object> values = new ArrayList<>(List.of(above, upTo));
    add(sql, values, " AND m.time >= ?", range.from());
    add(sql, values, " AND m.time < ?", range.until());
    add(sql, values, " AND m.topic = ?", range.topic());
    add(sql, values, " AND m.type = ?", range.type());
    add(sql, values, " AND m.message_key = ?", range.key());
    if (!range.ids().isEmpty()) {
      sql.append(" AND m.id IN (").append(parameters(range.ids().size())).append(')');
      values.addAll(range.ids());
    }
    sql.append(" ORDER BY m.position LIMIT ?");
    values.add(limit);
    return fits(transaction, sql.toString(), values);
  }

  /**
   * Returns the messages at positions, in the order of the ledger: not those that are gone.
   *
   * @param positions in their order, no more than a statement takes as parameters
   */
  public List<Fit> at(Connection transaction, List<Long> positions) throws SQLException {
    Require.nonNull("transaction", transaction);
    if (Require.nonNull("positions", positions).isEmpty()) {
      return List.of();
    }
    String sql = FIT + "m.position IN (" + parameters(positions.size()) + ") ORDER BY m.position";
    return fits(transaction, sql, List.copyOf(positions));
  }

  private List<Fit> fits(Connection transaction, String sql, List<?> values) throws SQLException {
    List<Fit> fitting = new ArrayList<>();
    try (PreparedStatement statement = prepared(transaction, sql)) {
      for (int i = 0; i < values.size(); i++) {
        naming.values().bind(statement, i + 1, values.get(i));
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          fitting.add(
              new Fit(
                  rows.getLong(1),
                  naming.values().uuid(rows, 2),
                  rows.getString(3),
                  rows.getLong(4)));
        }
      }
    }
    return fitting;
  }

  /** Returns the places of so many parameters. */
  static String parameters(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }

  private static void add(
      StringBuilder sql, List<Object> values, String condition, @Nullable Object value) {
    if (value != null) {
      sql.append(condition);
      values.add(value);
    }
  }

  /**
   * Copies messages to the rows of this cursor, whose partition they must belong to.
   *
   * @param fitting messages in the order of the ledger, none of which was copied for this request
   * @return those that were copied: not those that are parked in the route already
   */
  public List<Fit> copy(Connection transaction, UUID request, String route, List<Fit> fitting)
      throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("request", request);
    Require.nonNull("route", route);
    Require.nonNull("fitting", fitting);
    if (fitting.isEmpty()) {
      return List.of();
    }
    String copy = COPY.formatted(parameters(fitting.size()));
    try (PreparedStatement statement = prepared(transaction, copy)) {
      int at = key.bind(statement, 1);
      statement.setString(at++, route);
      naming.values().bind(statement, at++, request);
      for (Fit each : fitting) {
        statement.setLong(at++, each.position());
      }
      at = key.bind(statement, at);
      statement.setString(at, route);
      if (statement.executeUpdate() == fitting.size()) {
        return fitting;
      }
    }
    Set<Long> copied = copied(transaction, request, fitting);
    return fitting.stream().filter(each -> copied.contains(each.position())).toList();
  }

  private Set<Long> copied(Connection transaction, UUID request, List<Fit> fitting)
      throws SQLException {
    Set<Long> copied = new HashSet<>();
    try (PreparedStatement statement = prepared(transaction, COPIED)) {
      int at = key.bind(statement, 1);
      statement.setLong(at++, fitting.get(0).position());
      statement.setLong(at++, fitting.get(fitting.size() - 1).position());
      naming.values().bind(statement, at, request);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          copied.add(rows.getLong(1));
        }
      }
    }
    return copied;
  }

  /** Returns what the handlers of the subscription remember. */
  public HandledRows handled() {
    return new HandledRows(naming, key);
  }

  /**
   * Returns what is left of the rows that a request has made.
   *
   * @param limit up to how many are counted, of each kind
   */
  public Left left(Connection transaction, UUID request, int limit) throws SQLException {
    Require.nonNull("request", request);
    try (PreparedStatement statement = prepared(transaction, LEFT)) {
      naming.values().bind(statement, 1, request);
      statement.setInt(2, limit);
      naming.values().bind(statement, 3, request);
      statement.setInt(4, limit);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Left(row.getLong(1), row.getLong(2), row.getLong(3));
      }
    }
  }

  /**
   * Removes rows that a request has made and that are still to be published; what is locked by
   * others is passed over, and not waited for.
   *
   * @param limit at most this many
   */
  public TakenBack remove(Connection transaction, UUID request, int limit) throws SQLException {
    Require.nonNull("request", request);
    return new WaitingRows(naming, rows, WAITING.formatted(rows.address()), REMOVE)
        .takeBack(Require.nonNull("transaction", transaction), request, limit);
  }

  private PreparedStatement prepared(Connection transaction, String sql) throws SQLException {
    return Require.nonNull("transaction", transaction).prepareStatement(naming.in(sql));
  }
}
