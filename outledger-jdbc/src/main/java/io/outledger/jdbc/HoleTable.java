// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.store.Save;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The aged open ranges beside the cursor row; a save writes what has changed of them. */
final class HoleTable {

  // All three: the primary key, or the ledger's, one probe for each range.
  private static final String LOAD =
      """
      SELECT h.first, h.last FROM {schema}.outledger_hole h
       WHERE h.subscription = ? AND h.partition = ? ORDER BY h.first\
      """;
  private static final String REMOVE =
      """
      DELETE FROM {schema}.outledger_hole h
       USING unnest(?::bigint[]) AS removed (first)
       WHERE h.subscription = ? AND h.partition = ? AND h.first = removed.first\
      """;
  private static final String ADD =
      """
      INSERT INTO {schema}.outledger_hole (subscription, partition, first, last)
      SELECT ?, ?, added.first, added.last
        FROM unnest(?::bigint[], ?::bigint[]) AS added (first, last)\
      """;

  // The cursor rows of before do not list aged positions as open, so those among them that turn out
  // to be messages are noted apart; dead holes are none.
  private static final String SETTLED =
      """
      INSERT INTO {schema}.outledger_late (subscription, partition, position)
      SELECT ?, ?, m.position
        FROM unnest(?::bigint[], ?::bigint[]) AS settled (first, last)
       CROSS JOIN LATERAL (
             SELECT m.position FROM {schema}.outledger_message m
              WHERE m.position BETWEEN settled.first AND settled.last OFFSET 0) m
      ON CONFLICT DO NOTHING\
      """;

  private final String load;
  private final String remove;
  private final String add;
  private final String settled;
  private final CursorKey key;

  HoleTable(Tables tables, CursorKey key) {
    this.load = tables.in(LOAD);
    this.remove = tables.in(REMOVE);
    this.add = tables.in(ADD);
    this.settled = tables.in(SETTLED);
    this.key = key;
  }

  Positions load(Session session) throws SQLException {
    PreparedStatement statement = session.prepare(load);
    key.bind(statement, 1);
    PositionsBuilder aged = new PositionsBuilder();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        aged.add(rows.getLong(1), rows.getLong(2));
      }
    }
    return aged.build();
  }

  void change(Session session, Save save) throws SQLException {
    Map<Long, Long> before = ranges(save.agedBefore());
    Map<Long, Long> after = ranges(save.aged());
    Map<Long, Long> removed = new HashMap<>(before);
    removed.entrySet().removeAll(after.entrySet());
    after.entrySet().removeAll(before.entrySet());
    if (!removed.isEmpty()) {
      PreparedStatement statement = session.prepare(remove);
      statement.setArray(1, session.array(longs(removed)));
      key.bind(statement, 2);
      statement.executeUpdate();
    }
    write(session, add, after);
    Positions left = save.agedBefore().minus(save.aged()).minus(save.frontier().open());
    write(session, settled, ranges(left));
  }

  private void write(Session session, String sql, Map<Long, Long> ranges) throws SQLException {
    if (ranges.isEmpty()) {
      return;
    }
    long[] firsts = longs(ranges);
    PreparedStatement statement = session.prepare(sql);
    int at = key.bind(statement, 1);
    statement.setArray(at, session.array(firsts));
    long[] lasts = firsts.clone();
    for (int i = 0; i < lasts.length; i++) {
      lasts[i] = ranges.getOrDefault(firsts[i], firsts[i]);
    }
    statement.setArray(at + 1, session.array(lasts));
    statement.executeUpdate();
  }

  private static Map<Long, Long> ranges(Positions positions) {
    long[] firsts = positions.firsts();
    long[] lasts = positions.lasts();
    Map<Long, Long> ranges = new HashMap<>();
    for (int i = 0; i < firsts.length; i++) {
      ranges.put(firsts[i], lasts[i]);
    }
    return ranges;
  }

  private static long[] longs(Map<Long, Long> ranges) {
    return ranges.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
  }
}
