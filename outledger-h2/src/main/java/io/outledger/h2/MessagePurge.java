// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.frontier.Positions;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RetentionStore.Step;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Removes one range of messages from the ledger's beginning, and remembers how far it went in the
 * same transaction. The row that remembers is locked first, so that no cursor is placed meanwhile.
 * Removes no message while a lower one stays: where a cursor's message is gone and one below is
 * there, the ledger looks like another one.
 */
final class MessagePurge {

  private static final String SUBSCRIPTIONS =
      "SELECT s.subscription, s.partition FROM {schema}.outledger_subscription s";

  // One step along the primary key, across numbers that nobody has used.
  private static final String NEXT =
      "SELECT MIN(m.position) FROM {schema}.outledger_message m WHERE m.position > ?";

  // One range of the primary key: the first message in it that is too young.
  private static final String YOUNG =
      """
      SELECT MIN(m.position) FROM {schema}.outledger_message m
       WHERE m.position > ? AND m.position <= ?
         AND m.time >= DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)
         AND m.time < DATEADD(DAY, 1, CURRENT_TIMESTAMP)\
      """;
  private static final String REMOVE =
      "DELETE FROM {schema}.outledger_message WHERE position > ? AND position <= ?";

  private final Tables tables;
  private final int positionsAStep;
  private final Ledger ledger;

  MessagePurge(Tables tables, int positionsAStep) {
    this.tables = tables;
    this.positionsAStep = positionsAStep;
    this.ledger = new Ledger(tables);
  }

  /**
   * Removes the next range, in the caller's transaction.
   *
   * @param last the step before it; {@link Step#NONE} for the first
   */
  Step step(Connection connection, Duration age, Step last) throws SQLException {
    ledger.lockRetention(connection);
    long from = last.more() ? last.to() : beginning(connection);
    long next = Sql.of(connection, tables.in(NEXT), from).number();
    long to = Step.end(from, lowest(connection) - 1, next, positionsAStep);
    if (to <= from) {
      return Step.NONE;
    }
    long young = Sql.of(connection, tables.in(YOUNG), from, to, -age.toMillis()).number();
    long end = young == 0 ? to : young - 1;
    if (end <= from) {
      return Step.NONE;
    }
    long removed = Sql.of(connection, tables.in(REMOVE), from, end).update();
    ledger.purged(connection, end);
    return new Step(removed, young == 0, end);
  }

  /** Returns the position before the first message, or how far an earlier purge has come. */
  private long beginning(Connection connection) throws SQLException {
    long purgedTo = ledger.purgedTo(connection);
    long first = ledger.first(connection);
    return first == 0 ? purgedTo : Math.min(first - 1, purgedTo);
  }

  /**
   * Returns the lowest position that some subscription has not settled; 0 where there is no
   * subscription, or one has read another ledger, before this one was emptied.
   */
  private long lowest(Connection connection) throws SQLException {
    List<CursorKey> keys =
        Sql.of(connection, tables.in(SUBSCRIPTIONS))
            .rows(row -> new CursorKey(row.getString(1), row.getInt(2)));
    long lowest = keys.isEmpty() ? 0 : Long.MAX_VALUE;
    for (CursorKey key : keys) {
      Optional<CursorRows.Row> row = new CursorRows(tables, key).present(connection);
      if (row.isEmpty()) {
        continue;
      }
      // The row first, and then the holes: a position that is open may move from the row into the
      // table of holes meanwhile, and never back, so that it is seen here or there.
      long high = row.get().frontier().high();
      Positions open =
          row.get().frontier().open().union(new HoleTable(tables, key).load(connection));
      long own = open.isEmpty() ? high + 1 : open.first();
      boolean isReset = ledger.isReset(connection, high, row.get().known());
      lowest = Math.min(lowest, isReset ? 0 : own);
    }
    return lowest;
  }
}
