// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.sql.OpenPositions;
import io.outledger.store.Save;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The open ranges that are kept beside the cursor row, in rows of their own: one row for all ranges
 * that begin in the same {@value #BLOCK} positions. A save writes the rows that change.
 */
final class HoleTable implements OpenPositions {

  /** How many positions share a row; also named in a comment of the schema. */
  static final int BLOCK = 8192;

  // All: the primary key.
  private static final String LOAD =
      """
      SELECT range.first, range.last
        FROM {schema}.outledger_hole_block b
       CROSS JOIN LATERAL unnest(b.firsts, b.lasts) AS range (first, last)
       WHERE b.subscription = ? AND b.partition_no = ? ORDER BY range.first\
      """;
  private static final String REMOVE =
      """
      DELETE FROM {schema}.outledger_hole_block b
       WHERE b.subscription = ? AND b.partition_no = ? AND b.block = ANY (?::bigint[])\
      """;
  private static final String WRITE =
      """
      INSERT INTO {schema}.outledger_hole_block (subscription, partition_no, block, firsts, lasts)
      SELECT ?, ?, r.first / %1$s, array_agg(r.first ORDER BY r.first),
             array_agg(r.last ORDER BY r.first)
        FROM unnest(?::bigint[], ?::bigint[]) AS r (first, last)
       GROUP BY r.first / %1$s
      ON CONFLICT (subscription, partition_no, block)
         DO UPDATE SET firsts = excluded.firsts, lasts = excluded.lasts\
      """
          .formatted(BLOCK);

  // Older cursor rows do not list these positions as open, so those among them that turn out to be
  // messages are noted elsewhere; dead holes are none. One probe of the ledger for each range.
  private static final String SETTLED =
      """
      INSERT INTO {schema}.outledger_late (subscription, partition_no, position)
      SELECT ?, ?, m.position
        FROM unnest(?::bigint[], ?::bigint[]) AS settled (first, last)
       CROSS JOIN LATERAL (
             SELECT m.position FROM {schema}.outledger_message m
              WHERE m.position BETWEEN settled.first AND settled.last OFFSET 0) m
      ON CONFLICT DO NOTHING\
      """;

  // The primary key.
  private static final String REMOVE_ALL =
      "DELETE FROM {schema}.outledger_hole_block b WHERE b.subscription = ? AND b.partition_no = ?";

  private final String load;
  private final String remove;
  private final String write;
  private final String settled;
  private final String removeAll;
  private final CursorKey key;

  HoleTable(Tables tables, CursorKey key) {
    this.load = tables.in(LOAD);
    this.remove = tables.in(REMOVE);
    this.write = tables.in(WRITE);
    this.settled = tables.in(SETTLED);
    this.removeAll = tables.in(REMOVE_ALL);
    this.key = key;
  }

  Positions load(Session session) throws SQLException {
    return load(session.prepare(load));
  }

  @Override
  public Positions load(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(load)) {
      return load(statement);
    }
  }

  private Positions load(PreparedStatement statement) throws SQLException {
    key.bind(statement, 1);
    PositionsBuilder ranges = new PositionsBuilder();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        ranges.add(rows.getLong(1), rows.getLong(2));
      }
    }
    return ranges.build();
  }

  @Override
  public void replace(Connection connection, Positions positions) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(removeAll)) {
      key.bind(statement, 1);
      statement.executeUpdate();
    }
    if (positions.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(write)) {
      int at = key.bind(statement, 1);
      statement.setArray(at, Session.array(connection, positions.firsts()));
      statement.setArray(at + 1, Session.array(connection, positions.lasts()));
      statement.executeUpdate();
    }
  }

  void change(Session session, Save save) throws SQLException {
    HoleBlocks blocks = HoleBlocks.between(save.overflowBefore(), save.overflow());
    if (!blocks.emptied().isEmpty()) {
      PreparedStatement statement = session.prepare(remove);
      int at = key.bind(statement, 1);
      statement.setArray(
          at, session.array(blocks.emptied().stream().mapToLong(Long::longValue).toArray()));
      statement.executeUpdate();
    }
    write(session, write, blocks.written());
    write(
        session,
        settled,
        save.overflowBefore().minus(save.overflow()).minus(save.frontier().open()));
  }

  private void write(Session session, String sql, Positions positions) throws SQLException {
    if (positions.isEmpty()) {
      return;
    }
    PreparedStatement statement = session.prepare(sql);
    int at = key.bind(statement, 1);
    statement.setArray(at, session.array(positions.firsts()));
    statement.setArray(at + 1, session.array(positions.lasts()));
    statement.executeUpdate();
  }
}
