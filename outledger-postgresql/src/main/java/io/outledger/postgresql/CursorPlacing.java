// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.Printable;
import io.outledger.UnknownName;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.LedgerEdge;
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

  private static final String UNEXPECTED = "27000"; // as for a row that a trigger changed

  private static final String LAST_NUMBER = "SELECT " + LedgerIdentity.LAST_NUMBER;
  private static final String KNOWN = LedgerIdentity.beside("?");

  // The view's newest row of one subscription.
  private static final String IS_ANOTHER =
      """
      SELECT %s FROM {schema}.outledger_subscription s
       WHERE s.subscription = ? AND s.partition = ?\
      """
          .formatted(LedgerIdentity.isAnother("s.high", "s.known_position", "s.known_id"));

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
      Optional<LedgerEdge> found =
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
  boolean make(Connection connection, Start start, Optional<LedgerEdge> found) throws SQLException {
    LedgerIdentity.lockPurgedTo(connection, tables);
    if (rows.newest(connection).isPresent()) {
      return true;
    }
    Optional<LedgerEdge> edge = edge(connection, start, found);
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
  Optional<Moved> move(Connection connection, Start start, Optional<LedgerEdge> found)
      throws SQLException {
    LedgerIdentity.lockPurgedTo(connection, tables);
    CursorRows.Newest newest = requireThere(connection);
    Optional<LedgerEdge> edge = edge(connection, start, found);
    if (edge.isEmpty()) {
      return Optional.empty();
    }
    boolean isAnother = isOfAnotherLedger(connection);
    write(connection, CursorWrite.MOVE, edge.get());
    Frontier before = isAnother ? Frontier.START : rows.beforeNewest(connection);
    Positions beside = isAnother ? Positions.NONE : holes.load(connection);
    holes.replace(connection, edge.get().openAfterMove(start, before, beside));
    new ParkedReplay(tables, key).supersede(connection, isAnother);
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

  /** Says whether the subscription has certainly read another ledger, emptied or replaced since. */
  private boolean isOfAnotherLedger(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(IS_ANOTHER))) {
      key.bind(statement, 1);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  private void write(Connection connection, CursorWrite story, LedgerEdge edge)
      throws SQLException {
    // A subscription that has settled nothing is tied to no ledger yet.
    KnownMessage known = edge.high() == 0 ? null : edge.known();
    if (!rows.write(connection, story, edge.high(), known)) {
      throw new SQLException(
          "another session or a trigger kept the cursor of subscription "
              + key
              + " from being written, despite the retention lock",
          UNEXPECTED);
    }
  }

  private Optional<LedgerEdge> edge(Connection connection, Start start, Optional<LedgerEdge> found)
      throws SQLException {
    long purgedTo = LedgerIdentity.purgedTo(connection, tables);
    if (start instanceof Start.AtPosition at) {
      check(connection, purgedTo, at);
      return Optional.of(edgeAt(connection, at.position() - 1));
    }
    if (start instanceof Start.Earliest) {
      return Optional.of(edgeAt(connection, purgedTo));
    }
    return found.flatMap(edge -> edge.above(purgedTo));
  }

  private LedgerEdge edgeAt(Connection connection, long high) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(KNOWN))) {
      statement.setLong(1, high);
      statement.setLong(2, high);
      try (ResultSet row = statement.executeQuery()) {
        return new LedgerEdge(
            high, Positions.NONE, row.next() ? LedgerIdentity.read(row, 1) : null);
      }
    }
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
