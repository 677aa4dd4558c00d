// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;

/**
 * Places a cursor at a start, in the caller's transaction: inserts its next row, released and of a
 * new incarnation, so that whoever owned it is fenced.
 *
 * <p>The one row of outledger_retention is locked first. A purge holds the same lock, so that none
 * removes what the cursor is about to need.
 */
final class CursorPlacing {

  private static final String LOCK =
      "SELECT r.purged_to FROM {schema}.outledger_retention r FOR UPDATE";

  private static final String LAST_NUMBER =
      """
      SELECT CASE WHEN p.is_called THEN p.last_value ELSE p.last_value - 1 END
        FROM {schema}.outledger_message_position p\
      """;

  // Where it starts: the highest position that is settled from the beginning. By position: none of
  // the table. Now: one step back. By time: the ledger from its start, for it has no index on time.
  private static final String EDGE_GIVEN = "SELECT ?::bigint AS high";
  private static final String EDGE_NOW =
      """
      SELECT greatest(?::bigint, max(m.position)) AS high FROM {schema}.outledger_message m\
      """;
  private static final String EDGE_TIME =
      """
      SELECT coalesce(min(m.position) FILTER (WHERE m.time >= ?) - 1,
                      greatest(?::bigint, max(m.position))) AS high
        FROM {schema}.outledger_message m\
      """;

  // One statement, so one snapshot: each gap up to the edge may still be filled by somebody whom
  // the snapshot does not show, so it is open; nothing that the snapshot shows is. Walks the
  // ledger's
  // primary key up to the edge, without its rows; the gaps go beside the cursor row, for they may
  // be
  // many. Holes of before are no longer wanted.
  private static final String PLACE =
      """
      WITH edge AS MATERIALIZED (%s),
      gap AS MATERIALIZED (
        SELECT seen.previous + 1 AS first, least(seen.position - 1, edge.high) AS last
          FROM edge
         CROSS JOIN LATERAL (
               SELECT m.position,
                      lag(m.position, 1, ?::bigint) OVER (ORDER BY m.position) AS previous
                 FROM {schema}.outledger_message m
                WHERE m.position > ? AND m.position <= edge.high + 1) seen
         WHERE ? AND seen.position > seen.previous + 1),
      forgotten AS (
        DELETE FROM {schema}.outledger_hole h
         WHERE h.subscription = ? AND h.partition = ?
           AND NOT EXISTS (SELECT FROM gap WHERE gap.first = h.first)),
      opened AS (
        INSERT INTO {schema}.outledger_hole (subscription, partition, first, last)
        SELECT ?, ?, gap.first, gap.last FROM gap
        ON CONFLICT (subscription, partition, first) DO UPDATE SET last = excluded.last)
      INSERT INTO {schema}.outledger_cursor
             (subscription, partition, n, incarnation, taken, lease, lease_until, high)
      SELECT ?, ?,
             coalesce((SELECT c.n FROM {schema}.outledger_cursor c
                        WHERE c.subscription = ? AND c.partition = ? ORDER BY c.n DESC LIMIT 1), 0)
               + 1,
             gen_random_uuid(), true, interval '0', NULL, edge.high
        FROM edge\
      """;

  private final Tables tables;
  private final CursorKey key;

  CursorPlacing(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
  }

  /** Locks the row that purges lock, until the transaction ends, and returns how far they went. */
  long lock(Connection connection) throws SQLException {
    return number(connection, LOCK);
  }

  /**
   * Places the cursor; {@link #lock} was called before.
   *
   * @throws ConfigurationException {@code OUT-019} where the start was purged
   */
  void place(Connection connection, long purgedTo, Start start) throws SQLException {
    if (start instanceof Start.AtPosition at) {
      check(connection, purgedTo, at);
    }
    try (PreparedStatement statement =
        connection.prepareStatement(tables.in(PLACE.formatted(edge(start))))) {
      int at = bindEdge(statement, purgedTo, start);
      statement.setLong(at++, purgedTo);
      statement.setLong(at++, purgedTo);
      statement.setBoolean(at++, start instanceof Start.Now || start instanceof Start.AtTime);
      at = key.bind(statement, at);
      at = key.bind(statement, at);
      at = key.bind(statement, at);
      key.bind(statement, at);
      statement.executeUpdate();
    }
  }

  private void check(Connection connection, long purgedTo, Start.AtPosition at)
      throws SQLException {
    if (at.position() <= purgedTo) {
      throw new ConfigurationException(
          ErrorCode.POSITION_PURGED,
          """
          subscription %s cannot start at position %d: retention has removed all up to %d. \
          Start it at %d or later, or at the earliest message\
          """
              .formatted(key, at.position(), purgedTo, purgedTo + 1));
    }
    long last = number(connection, LAST_NUMBER);
    if (at.position() > last + 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "subscription %s cannot start at position %d: the ledger's next is %d"
              .formatted(key, at.position(), last + 1));
    }
  }

  private static String edge(Start start) {
    if (start instanceof Start.Now) {
      return EDGE_NOW;
    }
    return start instanceof Start.AtTime ? EDGE_TIME : EDGE_GIVEN;
  }

  private static int bindEdge(PreparedStatement statement, long purgedTo, Start start)
      throws SQLException {
    if (start instanceof Start.AtTime at) {
      statement.setObject(1, at.time().atOffset(ZoneOffset.UTC));
      statement.setLong(2, purgedTo);
      return 3;
    }
    statement.setLong(1, start instanceof Start.AtPosition at ? at.position() - 1 : purgedTo);
    return 2;
  }

  private long number(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(sql));
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
