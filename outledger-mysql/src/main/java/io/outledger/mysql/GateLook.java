// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.frontier.Positions;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Looks at the gate and at rows that others have locked, in statements that commit by themselves
 * and wait for nobody. Thread-safe.
 */
final class GateLook {

  // The slot of this second and that of the next are left to writers, who would wait for us.
  private static final String FREE =
      """
      SELECT g.slot FROM {schema}.outledger_gate g
       WHERE g.slot BETWEEN 0 AND 15
         AND g.slot NOT IN (UNIX_TIMESTAMP() MOD 16, (UNIX_TIMESTAMP() + 1) MOD 16)
         FOR UPDATE SKIP LOCKED\
      """;

  // One probe of the primary key for each position; a longer range is read as one.
  private static final String AT =
      """
      SELECT m.position
        FROM JSON_TABLE(?, '$[*]' COLUMNS (p BIGINT PATH '$')) o
        STRAIGHT_JOIN {schema}.outledger_message m FORCE INDEX (PRIMARY) ON m.position = o.p\
      """;
  private static final String BETWEEN =
      """
      SELECT m.position FROM {schema}.outledger_message m FORCE INDEX (PRIMARY)
       WHERE m.position BETWEEN ? AND ?\
      """;

  private static final int POSITIONS_AT_ONCE = 5_000;
  private static final int SHORT = 100;

  private final Tables tables;

  GateLook(Tables tables) {
    this.tables = tables;
  }

  /** Returns the slots that nobody holds, as bits. */
  int free(Connection connection) throws SQLException {
    int free = 0;
    for (int slot : Sql.in(tables, connection, FREE).rows(row -> row.getInt(1))) {
      free |= 1 << slot;
    }
    return free;
  }

  /** Returns whether another transaction has locked a row at one of some positions. */
  boolean isAnyLocked(Connection connection, Positions positions) throws SQLException {
    try {
      probe(connection, positions);
      return false;
    } catch (SQLException e) {
      if (tables.errors().classOf(e) == ErrorClass.LOCK_TIMEOUT) {
        return true;
      }
      throw e;
    }
  }

  private void probe(Connection connection, Positions positions) throws SQLException {
    long[] firsts = positions.firsts();
    long[] lasts = positions.lasts();
    StringBuilder points = new StringBuilder();
    int count = 0;
    for (int i = 0; i < firsts.length; i++) {
      if (lasts[i] - firsts[i] >= SHORT) {
        locking(connection, BETWEEN, firsts[i], lasts[i]);
        continue;
      }
      for (long position = firsts[i]; position <= lasts[i]; position++) {
        points.append(count++ == 0 ? '[' : ',').append(position);
      }
      if (count >= POSITIONS_AT_ONCE) {
        locking(connection, AT, points.append(']').toString());
        points.setLength(0);
        count = 0;
      }
    }
    if (count > 0) {
      locking(connection, AT, points.append(']').toString());
    }
  }

  private void locking(Connection connection, String sql, Object... values) throws SQLException {
    Sql.in(tables, connection, sql + tables.product().sharedNoWait(), values).read(row -> true);
  }
}
