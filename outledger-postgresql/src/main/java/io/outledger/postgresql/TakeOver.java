// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.sql.CursorRows;
import io.outledger.jdbc.sql.OpenRanges;
import io.outledger.store.CursorRow;
import io.outledger.store.KnownMessage;
import io.outledger.store.LeaseGrant;
import io.outledger.store.ParkedPlace;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes a cursor's lease, in one transaction with all that is loaded. */
final class TakeOver {

  // One step back along the primary key.
  private static final String LOADED =
      """
      SELECT c.n, c.high, c.open_first, c.open_last, c.known_position, c.known_id
        FROM {schema}.outledger_cursor c
       WHERE c.subscription = ? AND c.partition_no = ? ORDER BY c.n DESC LIMIT 1\
      """;

  private final CursorRows rows;
  private final String loaded;
  private final String take;
  private final CursorKey key;
  private final LedgerPreconditions preconditions;
  private final LedgerIdentity identity;
  private final HoleTable holes;
  private final ParkedReads parked;

  TakeOver(Tables tables, CursorKey key) {
    this.rows = new CursorRows(tables, key);
    this.loaded = tables.in(LOADED);
    this.take = CursorWrite.TAKE.in(tables);
    this.key = key;
    this.preconditions = new LedgerPreconditions(tables, key);
    this.identity = new LedgerIdentity(tables, key);
    this.holes = new HoleTable(tables, key);
    this.parked = new ParkedReads(tables, key);
  }

  Optional<LeaseGrant> takeOver(
      Session session, CursorRow seen, UUID incarnation, Duration lease, Runnable asking)
      throws SQLException {
    try {
      return session.inTransaction(
          connection -> {
            preconditions.checkServer(session);
            Optional<Loaded> loaded = load(session, seen);
            if (loaded.isEmpty()) {
              return Optional.empty();
            }
            asking.run();
            Optional<LeaseGrant> grant = take(session, seen, incarnation, lease, loaded.get());
            if (grant.isPresent() && !isNewest(session, grant.get().n())) {
              connection.rollback();
              return Optional.empty();
            }
            return grant;
          });
    } catch (SQLException e) {
      if (PostgresErrors.isDuplicate(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  // The statement may have hung between its snapshot and its insert, and the owner have saved on:
  // where the owner's row of this number was purged, the key is free again.
  private boolean isNewest(Session session, long n) throws SQLException {
    return rows.seen(session.connection()).filter(seen -> seen.row().n() == n).isPresent();
  }

  /** All that a row stands for; it holds for as long as the row is the newest. */
  private record Loaded(
      Frontier frontier,
      Positions overflow,
      List<LeaseGrant.BlockedKey> blocked,
      List<ParkedPlace> parked,
      @Nullable KnownMessage known) {}

  /**
   * Loads what the row that was seen stands for, before its number is taken: that may last, and the
   * lease, which is to begin afterwards, is for publishing. Whatever changes of it comes with a new
   * row, so where that row is still the newest when the next one is inserted, all of it holds.
   */
  private Optional<Loaded> load(Session session, CursorRow seen) throws SQLException {
    PreparedStatement statement = session.prepare(loaded);
    key.bind(statement, 1);
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next() || row.getLong(1) != seen.n()) {
        return Optional.empty();
      }
      Positions overflow = holes.load(session);
      Positions open = OpenRanges.IN_ARRAYS.read(row, 3).union(overflow);
      Frontier frontier = new Frontier(row.getLong(2), open);
      KnownMessage known = LedgerIdentity.read(row, 5);
      preconditions.checkLedger(session, frontier.high());
      identity.check(session, known);
      return Optional.of(
          new Loaded(
              frontier, overflow, parked.blocked(session), parked.among(session, frontier), known));
    }
  }

  private Optional<LeaseGrant> take(
      Session session, CursorRow seen, UUID incarnation, Duration lease, Loaded loaded)
      throws SQLException {
    PreparedStatement statement = session.prepare(take);
    int at = CursorWrite.bind(statement, 1, key, incarnation, lease);
    statement.setLong(at++, seen.n());
    statement.setObject(at, seen.incarnation());
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        return Optional.empty();
      }
      return Optional.of(
          new LeaseGrant(
              row.getLong(1),
              loaded.frontier(),
              loaded.overflow(),
              loaded.blocked(),
              loaded.parked(),
              ServerProbe.read(row, 2, 3),
              loaded.known()));
    }
  }
}
