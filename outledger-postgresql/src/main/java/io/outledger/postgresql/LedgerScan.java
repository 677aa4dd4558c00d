// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.frontier.PositionsBuilder;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.store.KnownMessage;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Finds where a start is that only the ledger can tell: now, or a time. It walks through the ledger
 * and may take long, so it is done before anything is locked, and stays true: what becomes visible
 * afterwards is above the edge or in one of its holes.
 */
final class LedgerScan {

  private static final int FETCH = 10_000;

  // The edge is the highest position that is settled from the beginning. Now: one step back. By
  // time: the ledger from its start, for it has no index on time.
  private static final String EDGE_NOW =
      """
      SELECT greatest((SELECT p.position FROM purged p), max(m.position)) AS high
        FROM {schema}.outledger_message m\
      """;
  private static final String EDGE_TIME =
      """
      SELECT coalesce(min(m.position) FILTER (WHERE m.time >= ?) - 1,
                      greatest((SELECT p.position FROM purged p), max(m.position))) AS high
        FROM {schema}.outledger_message m\
      """;

  // One statement, so one snapshot: each hole up to the edge may still be filled by somebody whom
  // the snapshot does not show, so it is open; nothing that the snapshot shows is. Walks the
  // primary key up to the edge, and one row more, since a hole may stand directly below the first
  // message that is wanted.
  private static final String SCAN =
      """
      WITH purged AS MATERIALIZED (
        SELECT %s AS position FROM {schema}.outledger_retention r),
      edge AS MATERIALIZED (%s),
      known AS MATERIALIZED (SELECT k.* FROM edge CROSS JOIN LATERAL (%s) k),
      hole AS (
        SELECT seen.previous + 1 AS first, least(seen.position - 1, edge.high) AS last
          FROM edge
         CROSS JOIN purged
         CROSS JOIN LATERAL (
               SELECT m.position,
                      lag(m.position, 1, purged.position) OVER (ORDER BY m.position) AS previous
                 FROM {schema}.outledger_message m
                WHERE m.position > purged.position AND m.position <= edge.high + 1) seen
         WHERE seen.position > seen.previous + 1)
      SELECT edge.high, hole.first, hole.last, known.position, known.id
        FROM edge LEFT JOIN known ON true LEFT JOIN hole ON true ORDER BY hole.first\
      """;

  private final String scanNow;
  private final String scanTime;

  LedgerScan(Tables tables) {
    this.scanNow = tables.in(scan(EDGE_NOW));
    this.scanTime = tables.in(scan(EDGE_TIME));
  }

  private static String scan(String edge) {
    return SCAN.formatted(LedgerIdentity.PURGED_TO, edge, LedgerIdentity.beside("edge.high"));
  }

  /** Returns where the start is, or empty where it says so itself. */
  Optional<LedgerEdge> edge(Connection connection, Start start) throws SQLException {
    if (start instanceof Start.AtTime at) {
      try (PreparedStatement statement = connection.prepareStatement(scanTime)) {
        statement.setObject(1, at.time().atOffset(ZoneOffset.UTC));
        return Optional.of(read(statement));
      }
    }
    if (start instanceof Start.Now) {
      try (PreparedStatement statement = connection.prepareStatement(scanNow)) {
        return Optional.of(read(statement));
      }
    }
    return Optional.empty();
  }

  private static LedgerEdge read(PreparedStatement statement) throws SQLException {
    statement.setFetchSize(FETCH);
    PositionsBuilder holes = new PositionsBuilder();
    long high = 0;
    KnownMessage known = null;
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        high = rows.getLong(1);
        known = LedgerIdentity.read(rows, 4);
        long first = rows.getLong(2);
        if (!rows.wasNull()) {
          holes.add(first, rows.getLong(3));
        }
      }
    }
    return new LedgerEdge(high, holes.build(), known);
  }
}
