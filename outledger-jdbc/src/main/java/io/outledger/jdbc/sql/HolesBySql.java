// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The open ranges that are kept beside the cursor's row: a row for each. Thread-safe. */
public final class HolesBySql implements OpenPositions {

  // All: the primary key.
  private static final String LOAD =
      """
      SELECT h.first_position, h.last_position FROM {schema}.outledger_hole h
       WHERE h.subscription = ? AND h.partition_no = ? ORDER BY h.first_position\
      """;
  private static final String REMOVE_ALL =
      "DELETE FROM {schema}.outledger_hole WHERE subscription = ? AND partition_no = ?";

  private final LedgerTables tables;
  private final Texts texts;
  private final CursorKey key;

  /** Creates it, without I/O. */
  public HolesBySql(LedgerTables tables, Texts texts, CursorKey key) {
    this.tables = tables;
    this.texts = texts;
    this.key = key;
  }

  /**
   * The database's statements. The parameters of both are subscription, partition, and ranges as
   * {@link OpenRanges#values} gives them.
   *
   * @param remove deletes the rows of ranges
   * @param add inserts them
   */
  public record Texts(String remove, String add) {}

  @Override
  public Positions load(Connection connection) throws SQLException {
    PositionsBuilder ranges = new PositionsBuilder();
    Sql.in(tables, connection, LOAD, key.subscription(), key.partition())
        .rows(row -> new long[] {row.getLong(1), row.getLong(2)})
        .forEach(range -> ranges.add(range[0], range[1]));
    return ranges.build();
  }

  @Override
  public void replace(Connection transaction, Positions positions) throws SQLException {
    Sql.in(tables, transaction, REMOVE_ALL, key.subscription(), key.partition()).update();
    execute(transaction, texts.add(), positions);
  }

  /** Writes what differs. */
  public void change(Connection transaction, Positions before, Positions after)
      throws SQLException {
    execute(transaction, texts.remove(), before.withoutRangesOf(after));
    execute(transaction, texts.add(), after.withoutRangesOf(before));
  }

  private void execute(Connection transaction, String text, Positions ranges) throws SQLException {
    if (ranges.isEmpty()) {
      return;
    }
    List<Object> values = new ArrayList<>(List.of(key.subscription(), key.partition()));
    values.addAll(List.of(tables.openRanges().values(transaction, ranges)));
    Sql.in(tables, transaction, text, values.toArray()).update();
  }
}
