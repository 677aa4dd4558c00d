// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.SQLException;

/** The open ranges that are kept beside the cursor row: a row for each. */
final class HoleTable {

  // All: the primary key.
  private static final String LOAD =
      """
      SELECT h.first_position, h.last_position FROM {schema}.outledger_hole h
       WHERE h.subscription = ? AND h.partition = ? ORDER BY h.first_position\
      """;
  private static final String REMOVE =
      """
      DELETE FROM {schema}.outledger_hole
       WHERE subscription = ? AND partition = ? AND first_position IN (
             SELECT gone.position FROM UNNEST(CAST(? AS BIGINT ARRAY)) AS gone (position))\
      """;
  private static final String ADD =
      """
      INSERT INTO {schema}.outledger_hole (subscription, partition, first_position, last_position)
      SELECT CAST(? AS VARCHAR), CAST(? AS INTEGER), r.f, r.l
        FROM UNNEST(CAST(? AS BIGINT ARRAY), CAST(? AS BIGINT ARRAY)) AS r (f, l)\
      """;
  private static final String REMOVE_ALL =
      "DELETE FROM {schema}.outledger_hole WHERE subscription = ? AND partition = ?";

  private final Tables tables;
  private final CursorKey key;

  HoleTable(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
  }

  Positions load(Connection connection) throws SQLException {
    PositionsBuilder ranges = new PositionsBuilder();
    Sql.of(connection, tables.in(LOAD), key.subscription(), key.partition())
        .rows(row -> new long[] {row.getLong(1), row.getLong(2)})
        .forEach(range -> ranges.add(range[0], range[1]));
    return ranges.build();
  }

  /** Replaces all of them, in the caller's transaction, which has fenced the owner. */
  void replace(Connection connection, Positions positions) throws SQLException {
    Sql.of(connection, tables.in(REMOVE_ALL), key.subscription(), key.partition()).update();
    add(connection, positions);
  }

  /** Writes what differs. */
  void change(Connection connection, Positions before, Positions after) throws SQLException {
    Positions removed = before.withoutRangesOf(after);
    if (!removed.isEmpty()) {
      Sql.of(
              connection,
              tables.in(REMOVE),
              key.subscription(),
              key.partition(),
              Sql.array(removed.firsts()))
          .update();
    }
    add(connection, after.withoutRangesOf(before));
  }

  private void add(Connection connection, Positions positions) throws SQLException {
    if (!positions.isEmpty()) {
      Sql.of(
              connection,
              tables.in(ADD),
              key.subscription(),
              key.partition(),
              Sql.array(positions.firsts()),
              Sql.array(positions.lasts()))
          .update();
    }
  }
}
