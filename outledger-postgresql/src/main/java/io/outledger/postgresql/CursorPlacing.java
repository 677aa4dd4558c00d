// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.Printable;
import io.outledger.UnknownName;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.StartCheck;
import io.outledger.store.KnownMessage;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places a cursor at a start: makes a subscription, or moves one. Two transactions, so that nothing
 * is held while the ledger is walked through. The first finds the start; the second is short: it
 * locks the one row of outledger_retention, inserts the cursor's next row above whatever the owner
 * has saved by then, which fences the owner, and replaces the open positions beside it.
 *
 * <p>A purge holds the same lock, so that none removes what the cursor is about to need.
 */
final class CursorPlacing {

  private static final Logger LOG = LoggerFactory.getLogger(CursorPlacing.class);

  private static final String LAST_NUMBER = "SELECT " + LedgerIdentity.LAST_NUMBER;
  private static final String KNOWN = LedgerIdentity.beside("?");

  private final Tables tables;
  private final CursorKey key;
  private final CursorRows rows;
  private final HoleTable holes;
  private final LedgerScan scan;

  CursorPlacing(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
    this.rows = new CursorRows(tables, key);
    this.holes = new HoleTable(tables, key);
    this.scan = new LedgerScan(tables);
  }

  /**
   * Makes the subscription; where two relays do at the same time, the second finds it made.
   *
   * @throws ConfigurationException {@code OUT-019}, {@code OUT-021} if it cannot start there
   */
  void make(Session session, Start start) throws SQLException {
    boolean isMade;
    do {
      Optional<LedgerScan.Edge> found =
          session.inTransaction(
              OwnTransaction.Kind.WALKS, connection -> scan.edge(connection, start));
      isMade =
          session.inTransaction(
              OwnTransaction.Kind.OF_SESSION, connection -> make(connection, start, found));
    } while (!isMade);
    LOG.info(
        "subscription {} did not exist; created it, starting at {}", Printable.value(key), start);
  }

  /**
   * Makes the subscription; where it is there already, as another relay may have made it meanwhile,
   * nothing changes.
   *
   * @param found what the scan has found, if the start needs one
   * @return whether it is there now; not where a purge has overtaken the scan, which is to be done
   *     again
   * @throws ConfigurationException {@code OUT-019}, {@code OUT-021} if it cannot start there
   */
  boolean make(Connection connection, Start start, Optional<LedgerScan.Edge> found)
      throws SQLException {
    LedgerIdentity.lockPurgedTo(connection, tables);
    if (rows.newest(connection).isPresent()) {
      return true;
    }
    Optional<LedgerScan.Edge> edge = edge(connection, start, found);
    if (edge.isPresent()) {
      write(connection, CursorWrite.START, edge.get());
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
    LedgerIdentity.lockPurgedTo(connection, tables);
    CursorRows.Newest newest = requireThere(connection);
    Optional<LedgerScan.Edge> edge = edge(connection, start, found);
    if (edge.isEmpty()) {
      return Optional.empty();
    }
    write(connection, CursorWrite.MOVE, edge.get());
    Positions open = edge.get().holes();
    holes.replace(
        connection,
        start instanceof Start.Now ? open : open.union(unsettledBelow(connection, edge.get())));
    new ParkedReplay(tables, key).supersede(connection);
    return Optional.of(new Moved(newest.high(), edge.get().high()));
  }

  /**
   * Returns the newest row.
   *
   * @throws ConfigurationException {@code OUT-025} if there is no such subscription
   */
  CursorRows.Newest requireThere(Connection connection) throws SQLException {
    Optional<CursorRows.Newest> there = rows.newest(connection);
    if (there.isEmpty()) {
      throw UnknownName.subscription(
          key.subscription(), SubscriptionNames.read(connection, tables));
    }
    return there.get();
  }

  private void write(Connection connection, CursorWrite story, LedgerScan.Edge edge)
      throws SQLException {
    // A subscription that has settled nothing is tied to no ledger yet.
    KnownMessage known = edge.high() == 0 ? null : edge.known();
    if (!rows.write(connection, story, edge.high(), known)) {
      throw new SQLException(
          "another session changed the cursor despite the retention lock: subscription " + key);
    }
  }

  /**
   * Returns the positions that stay open below the place to which a subscription was just moved:
   * all that its last owner had not settled there, such as messages that are not committed yet. A
   * move back replays, and must not skip them. A move forward, or to now, skips all that lies
   * before it.
   */
  private Positions unsettledBelow(Connection connection, LedgerScan.Edge edge)
      throws SQLException {
    Frontier before = rows.beforeNewest(connection);
    return edge.high() > before.high()
        ? Positions.NONE
        : before.open().union(holes.load(connection)).intersection(Positions.range(1, edge.high()));
  }

  /**
   * Returns the position above which a move reads again, before a purge is looked at: what that has
   * removed does not come again.
   *
   * @param found what the scan has found, if the start needs one
   */
  static long target(Start start, Optional<LedgerScan.Edge> found) {
    return start instanceof Start.AtPosition at
        ? at.position() - 1
        : found.map(LedgerScan.Edge::high).orElse(0L);
  }

  private Optional<LedgerScan.Edge> edge(
      Connection connection, Start start, Optional<LedgerScan.Edge> found) throws SQLException {
    long purgedTo = LedgerIdentity.purgedTo(connection, tables);
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
    try (PreparedStatement statement = connection.prepareStatement(tables.in(KNOWN))) {
      statement.setLong(1, high);
      statement.setLong(2, high);
      try (ResultSet row = statement.executeQuery()) {
        return new LedgerScan.Edge(
            high, Positions.NONE, row.next() ? LedgerIdentity.read(row, 1) : null);
      }
    }
  }

  private static Positions above(long purgedTo, Positions holes) {
    return purgedTo == 0 ? holes : holes.minus(Positions.range(1, purgedTo));
  }

  private void check(Connection connection, long purgedTo, Start.AtPosition at)
      throws SQLException {
    StartCheck.notPurged(key, at, purgedTo);
    StartCheck.notBeyond(key, at, number(connection, tables.in(LAST_NUMBER)));
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
