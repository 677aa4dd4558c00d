// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RetentionStore.Step;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Removes one range of messages from the ledger's beginning, and remembers how far it went in the
 * same transaction. The row that remembers is locked first, so that no cursor is placed meanwhile.
 * Removes no message while a lower one stays: where a cursor's message is gone and one below is
 * there, the ledger looks like another one. Thread-safe.
 */
public final class MessagePurge {

  // One step along the primary key, across numbers that nobody has used.
  private static final String NEXT =
      "SELECT MIN(m.position) FROM {schema}.outledger_message m WHERE m.position > ?";

  // One range of the primary key: the first message in it that is too young.
  private static final String YOUNG =
      """
      SELECT MIN(m.position) FROM {schema}.outledger_message m
       WHERE m.position > ? AND m.position <= ?
         AND %1$s > %2$s AND %1$s < %2$s\
      """;
  private static final String REMOVE =
      "DELETE FROM {schema}.outledger_message WHERE position > ? AND position <= ?";

  private static final String FORGET =
      """
      DELETE FROM {schema}.%s
       WHERE position > ? AND position <= ? AND subscription = ? AND partition_no = ?\
      """;

  private static final Duration DAY = Duration.ofDays(1);

  private final LedgerTables tables;
  private final int positionsAStep;
  private final Ledger ledger;

  /** Creates it, without I/O. */
  public MessagePurge(LedgerTables tables, int positionsAStep) {
    this.tables = tables;
    this.positionsAStep = positionsAStep;
    this.ledger = new Ledger(tables);
  }

  /**
   * Removes the next range, in the caller's transaction.
   *
   * @param last the step before it; {@link Step#NONE} for the first
   */
  public Step step(Connection connection, Duration age, Step last) throws SQLException {
    ledger.lockRetention(connection);
    long from = last.more() ? last.to() : beginning(connection);
    long next = Sql.in(tables, connection, NEXT, from).number();
    List<SubscriptionRows.Place> places = SubscriptionRows.all(connection, tables);
    long to = Step.end(from, lowest(connection, places) - 1, next, positionsAStep);
    if (to <= from) {
      return Step.NONE;
    }
    String sql = tables.in(YOUNG.formatted(tables.sql().appended(), tables.sql().later()));
    long young =
        Sql.in(tables, connection, sql, from, to, -age.toMillis(), DAY.toMillis()).number();
    long end = young == 0 ? to : young - 1;
    if (end <= from) {
      return Step.NONE;
    }
    long removed = Sql.in(tables, connection, REMOVE, from, end).update();
    for (SubscriptionRows.Place place : places) {
      forgetSettled(connection, place.key(), from, end);
    }
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
  private long lowest(Connection connection, List<SubscriptionRows.Place> places)
      throws SQLException {
    long lowest = places.isEmpty() ? 0 : Long.MAX_VALUE;
    for (SubscriptionRows.Place place : places) {
      boolean isReset = ledger.isReset(connection, place.status().high(), place.known());
      lowest = Math.min(lowest, isReset ? 0 : place.status().lowest());
    }
    return lowest;
  }

  /**
   * One subscription at a time: a planner may walk a joined view once per row, and until this
   * transaction ends, every save that meets one of the rows waits.
   */
  private void forgetSettled(Connection connection, CursorKey key, long from, long to)
      throws SQLException {
    for (String table : tables.sql().late()) {
      String sql = tables.in(FORGET.formatted(table));
      Sql.in(tables, connection, sql, from, to, key.subscription(), key.partition()).update();
    }
  }
}
