// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.ConfigurationException;
import io.outledger.UnknownName;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.StartCheck;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Places a cursor at a start: makes a subscription, or moves one. Two transactions, so that nothing
 * is held while the ledger is walked through. The first finds the start; the second is short: it
 * locks the one row of outledger_retention, inserts the cursor's next row above whatever the owner
 * has saved by then, which fences the owner, and replaces the open positions beside it.
 *
 * <p>A purge holds the same lock, so that none removes what the cursor is about to need.
 */
final class CursorPlacing {

  // What is parked of messages that are read again; a row whose message is purged stays.
  private static final String SUPERSEDE =
      """
      DELETE FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition = ? AND p.position > ?
         AND EXISTS (SELECT 1 FROM {schema}.outledger_message m WHERE m.position = p.position)\
      """;

  private final Tables tables;
  private final CursorKey key;
  private final CursorRows rows;
  private final HoleTable holes;
  private final Ledger ledger;

  CursorPlacing(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
    this.rows = new CursorRows(tables, key);
    this.holes = new HoleTable(tables, key);
    this.ledger = new Ledger(tables);
  }

  /**
   * Makes the subscription; where it is there already, nothing changes.
   *
   * @param found what the scan has found, if the start needs one
   * @return whether it is there now; not where a purge has overtaken the scan, which is to be done
   *     again
   * @throws ConfigurationException {@code OUT-019}, {@code OUT-021} if it cannot start there
   */
  boolean make(Connection connection, Start start, Optional<LedgerScan.Edge> found)
      throws SQLException {
    ledger.lockRetention(connection);
    if (rows.present(connection).isPresent()) {
      return true;
    }
    Optional<LedgerScan.Edge> edge = edge(connection, start, found);
    if (edge.isPresent()) {
      place(connection, rows.newest(connection).orElse(null), edge.get());
      holes.replace(connection, edge.get().holes());
    }
    return edge.isPresent();
  }

  /**
   * Moves the subscription.
   *
   * @param found what the scan has found, if the start needs one
   * @return from where to where, or empty where a purge has overtaken the scan, which is to be done
   *     again
   * @throws ConfigurationException {@code OUT-019}, {@code OUT-021} if it cannot go there, {@code
   *     OUT-025} if it is not there
   */
  Optional<Moved> move(Connection connection, Start start, Optional<LedgerScan.Edge> found)
      throws SQLException {
    ledger.lockRetention(connection);
    CursorRows.Row newest = requireThere(connection);
    Optional<LedgerScan.Edge> edge = edge(connection, start, found);
    if (edge.isEmpty()) {
      return Optional.empty();
    }
    long high = edge.get().high();
    place(connection, newest, edge.get());
    Positions open = edge.get().holes();
    holes.replace(
        connection,
        start instanceof Start.Now
            ? open
            : open.union(unsettledBelow(connection, newest.frontier(), high)));
    Sql.of(connection, tables.in(SUPERSEDE), key.subscription(), key.partition(), high).update();
    return Optional.of(new Moved(newest.frontier().high(), high));
  }

  /**
   * Returns the newest row.
   *
   * @throws ConfigurationException {@code OUT-025} if there is no such subscription
   */
  CursorRows.Row requireThere(Connection connection) throws SQLException {
    Optional<CursorRows.Row> there = rows.present(connection);
    if (there.isEmpty()) {
      throw UnknownName.subscription(
          key.subscription(), SubscriptionNames.read(connection, tables));
    }
    return there.get();
  }

  /**
   * Returns the position above which a move reads again, before a purge is looked at.
   *
   * @param found what the scan has found, if the start needs one
   */
  static long target(Start start, Optional<LedgerScan.Edge> found) {
    return start instanceof Start.AtPosition at
        ? at.position() - 1
        : found.map(LedgerScan.Edge::high).orElse(0L);
  }

  private void place(Connection connection, CursorRows.@Nullable Row newest, LedgerScan.Edge edge)
      throws SQLException {
    // A subscription that has settled nothing is tied to no ledger yet.
    rows.place(
        connection,
        newest,
        CursorRows.Kind.TAKEN,
        edge.high(),
        edge.high() == 0 ? null : edge.known());
  }

  /**
   * Returns what stays open below the place to which a subscription is moved: all that its last
   * owner had not settled there. A move forward, or to now, skips all that lies before it.
   */
  private Positions unsettledBelow(Connection connection, Frontier before, long high)
      throws SQLException {
    return high > before.high()
        ? Positions.NONE
        : before.open().union(holes.load(connection)).intersection(Positions.range(1, high));
  }

  private Optional<LedgerScan.Edge> edge(
      Connection connection, Start start, Optional<LedgerScan.Edge> found) throws SQLException {
    long purgedTo = ledger.purgedInThisLedger(connection);
    if (start instanceof Start.AtPosition at) {
      check(connection, purgedTo, at);
      return Optional.of(edgeAt(connection, at.position() - 1));
    }
    if (start instanceof Start.Earliest) {
      return Optional.of(edgeAt(connection, purgedTo));
    }
    return found
        .filter(edge -> edge.high() >= purgedTo)
        .map(edge -> edge.withHoles(above(purgedTo, edge.holes())));
  }

  private LedgerScan.Edge edgeAt(Connection connection, long high) throws SQLException {
    return new LedgerScan.Edge(high, Positions.NONE, ledger.beside(connection, high));
  }

  private static Positions above(long purgedTo, Positions holes) {
    return purgedTo == 0 ? holes : holes.minus(Positions.range(1, purgedTo));
  }

  private void check(Connection connection, long purgedTo, Start.AtPosition at)
      throws SQLException {
    StartCheck.notPurged(key, at, purgedTo);
    StartCheck.notBeyond(key, at, ledger.lastNumber(connection));
  }
}
