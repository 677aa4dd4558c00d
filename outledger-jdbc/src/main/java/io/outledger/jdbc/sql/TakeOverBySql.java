// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.store.CursorRow;
import io.outledger.store.LeaseGrant;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Takes a cursor's lease. All that the row stands for is loaded before its number is taken:
 * whatever changes of it comes with a new row, so where that row is still the newest when the next
 * one is inserted, all of it holds. The lease begins afterwards, in a transaction of its own: in
 * some databases the time stands still within a transaction. Thread-safe.
 */
public final class TakeOverBySql {

  private final SqlErrors errors;
  private final CursorRows rows;
  private final LedgerChecks checks;
  private final OpenPositions holes;
  private final ParkedReadsBySql parked;
  private final Ledger ledger;

  /**
   * Creates it, without I/O.
   *
   * @param checks what has to hold before a ledger is read
   */
  public TakeOverBySql(
      LedgerTables tables, CursorKey key, LedgerChecks checks, ParkedReadsBySql parked) {
    this.errors = tables.errors();
    this.rows = new CursorRows(tables, key);
    this.checks = checks;
    this.holes = tables.openPositions(key);
    this.parked = parked;
    this.ledger = new Ledger(tables);
  }

  /** See {@link io.outledger.store.RelayStore#takeOver}. */
  public Optional<LeaseGrant> takeOver(
      LedgerSession session, CursorRow seen, UUID incarnation, Duration lease, Runnable asking)
      throws SQLException {
    Connection connection = session.connection();
    checks.checkServer(connection);
    Optional<CursorRows.Row> newest = rows.newest(connection).filter(row -> row.n() == seen.n());
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    CursorRows.Row row = newest.get();
    Positions overflow = holes.load(connection);
    Frontier frontier = new Frontier(row.frontier().high(), row.frontier().open().union(overflow));
    session.numbers().begin(ledger.lastNumber(connection));
    checks.checkLedger(connection, frontier.high());
    checks.checkKnown(connection, row.known());
    LeaseGrant grant =
        new LeaseGrant(
            row.n() + 1,
            frontier,
            overflow,
            parked.blocked(connection),
            parked.among(connection, frontier),
            session.server(),
            row.known());
    asking.run();
    return take(session, row, incarnation, lease) ? Optional.of(grant) : Optional.empty();
  }

  /** Takes the lease, and returns whether it did: not where another relay was faster. */
  private boolean take(LedgerSession session, CursorRows.Row row, UUID incarnation, Duration lease)
      throws SQLException {
    CursorRows.Next next =
        new CursorRows.Next(
            row.n() + 1,
            incarnation,
            CursorRows.Kind.TAKEN,
            lease,
            row.lease(),
            row.frontier(),
            row.known(),
            null);
    try {
      return session.inTransaction(
          connection -> {
            boolean isStillNewest =
                rows.newest(connection)
                    .filter(now -> now.n() == row.n())
                    .filter(now -> now.incarnation().equals(row.incarnation()))
                    .isPresent();
            if (!isStillNewest) {
              return false;
            }
            rows.insert(connection, next);
            if (rows.newest(connection).map(CursorRows.Row::n).orElse(0L) == next.n()) {
              return true;
            }
            connection.rollback();
            return false;
          });
    } catch (SQLException e) {
      if (errors.classOf(e) == ErrorClass.DUPLICATE_KEY) {
        return false;
      }
      throw e;
    }
  }
}
