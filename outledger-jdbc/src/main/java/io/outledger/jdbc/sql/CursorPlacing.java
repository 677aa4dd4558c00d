// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.ConfigurationException;
import io.outledger.UnknownName;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.spi.LedgerSight;
import io.outledger.jdbc.spi.MoveRequest;
import io.outledger.jdbc.spi.StartCheck;
import io.outledger.store.KnownMessage;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Places a cursor at a start: makes a subscription, or moves one. Two transactions, so that nothing
 * is held while the ledger is walked through. The first finds the start; the second is short: it
 * locks the one row of outledger_retention, inserts the cursor's next row above whatever the owner
 * has saved by then, which fences the owner, and replaces the open positions beside it.
 *
 * <p>A purge holds the same lock, so that none removes what the cursor is about to need.
 * Thread-safe.
 */
public final class CursorPlacing {

  // The primary key.
  private static final String OTHER =
      """
      SELECT c.n FROM {schema}.outledger_cursor c
       WHERE c.subscription <> ? AND c.high > 0 LIMIT 1\
      """;

  private final LedgerTables tables;
  private final CursorKey key;
  private final CursorRows rows;
  private final OpenPositions holes;
  private final Ledger ledger;

  /** Creates it, without I/O. */
  public CursorPlacing(LedgerTables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
    this.rows = new CursorRows(tables, key);
    this.holes = tables.openPositions(key);
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
  public boolean make(Connection connection, Start start, Optional<LedgerEdge> found)
      throws SQLException {
    ledger.lockRetention(connection);
    if (rows.present(connection).isPresent()) {
      return true;
    }
    requireName(connection);
    long purgedTo = ledger.purgedInThisLedger(connection);
    Optional<LedgerEdge> edge = edge(connection, start, found, purgedTo);
    if (edge.isPresent()) {
      place(
          connection, rows.newest(connection).orElse(null), edge.get().high(), edge.get().known());
      holes.replace(connection, edge.get().holes());
    }
    return edge.isPresent();
  }

  /**
   * Returns the first position of messages if another subscription, which is there or was, has read
   * some; 0 otherwise: whatever is there has then waited for this one.
   */
  long readByAnother(Connection connection) throws SQLException {
    boolean isRead =
        Sql.in(tables, connection, OTHER, key.subscription()).first(row -> true).isPresent();
    return isRead ? ledger.first(connection) : 0;
  }

  /** Returns what the cursor knows of the ledger. */
  LedgerSight sight(Connection connection) throws SQLException {
    CursorRows.Row there = requireThere(connection);
    long high = there.frontier().high();
    if (ledger.isAnother(connection, high, there.known())) {
      return LedgerSight.ANOTHER;
    }
    return ledger.isReset(connection, high, there.known()) ? LedgerSight.UNKNOWN : LedgerSight.SAME;
  }

  /**
   * What a move has come to.
   *
   * @param moved from where to where
   * @param stays whether it stays where it was, since the request would have it go the other way
   */
  public record Placed(Moved moved, boolean stays) {}

  /**
   * Moves the subscription, whose owner is fenced from then on, in a transaction that holds the
   * retention's lock. What is parked is as before: see {@link #supersede}. One that a move would
   * have pass over something is left to its owner.
   *
   * @param sight what the subscription knows of the ledger
   * @return from where to where, or empty where a purge has overtaken the scan, which is to be done
   *     again
   * @throws ConfigurationException {@code OUT-019}, {@code OUT-021} if it cannot go there, {@code
   *     OUT-025} if it is not there
   */
  public Optional<Placed> move(Connection connection, MoveRequest request, LedgerSight sight)
      throws SQLException {
    long purgedTo = ledger.purgedInThisLedger(connection);
    Optional<LedgerEdge> edge = edge(connection, request.start(), request.found(), purgedTo);
    if (edge.isEmpty()) {
      return Optional.empty();
    }
    CursorRows.Row newest = requireThere(connection);
    long from = newest.frontier().high();
    boolean isAnew = request.beginsAnew(sight);
    long reached = isAnew ? 0 : from;
    Frontier found = edge.get().frontier();
    if (!request.skips()
        && !Start.mayMove(request.start(), found.high(), Math.max(reached, purgedTo))) {
      return Optional.of(new Placed(new Moved(from, found.high()), true));
    }
    long high = request.skips() ? Math.max(reached, found.high()) : found.high();
    // By a message beside the place: the owner may know one that was appended since the scan.
    place(connection, newest, high, high > found.high() ? newest.known() : edge.get().known());
    // The owner is fenced, and puts nothing beside its row any more.
    Frontier before = isAnew ? Frontier.START : whole(connection, newest.frontier());
    Frontier to = request.place(before, found);
    holes.replace(connection, to.open());
    boolean stays = request.skips() && !Start.maySkip(request.start(), before, found);
    return Optional.of(new Placed(new Moved(from, to.high()), stays));
  }

  private Frontier whole(Connection connection, Frontier inRow) throws SQLException {
    return new Frontier(inRow.high(), inRow.open().union(holes.load(connection)));
  }

  /** Removes what is parked that a move has made open again. */
  void supersede(Connection connection, Placed placed, LedgerSight sight) throws SQLException {
    tables.supersede(connection, key, placed.moved().to(), sight == LedgerSight.ANOTHER);
  }

  /**
   * Places another cursor where this one stands, in a transaction that holds the retention's lock,
   * and ends this one.
   *
   * @param newest the newest row
   */
  void rename(Connection connection, CursorRows.Row newest, CursorPlacing to) throws SQLException {
    rows.place(connection, newest, CursorRows.Kind.GONE, 0, null);
    Frontier frontier = whole(connection, newest.frontier());
    to.place(connection, to.rows.newest(connection).orElse(null), frontier.high(), newest.known());
    to.holes.replace(connection, frontier.open());
  }

  /**
   * Checks that the subscription was not renamed.
   *
   * @throws ConfigurationException {@code OUT-037} if it was
   */
  void requireName(Connection connection) throws SQLException {
    DeclarationTable.Reader reader = DeclarationTable.Reader.subscription(key.subscription(), "");
    new DeclarationTable(reader, tables).requireName(connection);
  }

  /**
   * Returns the newest row.
   *
   * @throws ConfigurationException {@code OUT-025} if there is no such subscription
   * @throws SQLTransactionRollbackException if it was divided into other partitions meanwhile; to
   *     be done again
   */
  public CursorRows.Row requireThere(Connection connection) throws SQLException {
    Optional<CursorRows.Row> there = rows.present(connection);
    if (there.isEmpty()) {
      CursorKey first = PartitionPlacing.keys(connection, tables, key.subscription()).get(0);
      if (new CursorRows(tables, first).present(connection).isPresent()) {
        throw CursorRows.race(key, null);
      }
      throw UnknownName.subscription(
          key.subscription(), SubscriptionNames.read(connection, tables));
    }
    return there.get();
  }

  private void place(
      Connection connection,
      CursorRows.@Nullable Row newest,
      long high,
      @Nullable KnownMessage known)
      throws SQLException {
    // A subscription that has settled nothing is tied to no ledger yet.
    rows.place(connection, newest, CursorRows.Kind.TAKEN, high, high == 0 ? null : known);
  }

  private Optional<LedgerEdge> edge(
      Connection connection, Start start, Optional<LedgerEdge> found, long purgedTo)
      throws SQLException {
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
    return new LedgerEdge(high, Positions.NONE, ledger.beside(connection, high));
  }

  private void check(Connection connection, long purgedTo, Start.AtPosition at)
      throws SQLException {
    StartCheck.notPurged(key, at, purgedTo);
    StartCheck.notBeyond(key, at, ledger.lastNumber(connection));
  }
}
