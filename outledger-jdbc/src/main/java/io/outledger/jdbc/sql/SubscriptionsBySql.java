// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.UnknownName;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DivisionStep;
import io.outledger.jdbc.spi.Fenced;
import io.outledger.jdbc.spi.GoneSubscription;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.spi.LedgerSight;
import io.outledger.jdbc.spi.MoveRequest;
import io.outledger.jdbc.spi.StartCheck;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.relay.Slots;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Moves, renames and deletes subscriptions, with the texts of one database. Thread-safe. */
public final class SubscriptionsBySql implements SubscriptionStore {

  private static final String UNDECLARE =
      "DELETE FROM {schema}.outledger_declaration"
          + " WHERE reader_kind = 'subscription' AND reader = ?";

  // All of them: a range of the primary key. Rows of take-overs stay, as does the one that says it
  // is gone: see CursorRows.
  private static final String REMOVE =
      "DELETE FROM {schema}.%s WHERE subscription = ? AND partition_no = ?";
  private static final String REMOVE_SAVED =
      REMOVE.formatted("outledger_cursor") + " AND NOT taken";

  private static final String STATUS = "outledger_status";

  private static final String RENAME =
      "UPDATE {schema}.%s SET subscription = ? WHERE subscription = ? AND partition_no = ?";

  private final LedgerTables tables;

  /** Creates it, without I/O. */
  public SubscriptionsBySql(LedgerTables tables) {
    this.tables = tables;
  }

  @Override
  public List<CursorKey> cursors(Connection connection, String subscription) throws SQLException {
    return PartitionPlacing.keys(connection, tables, subscription);
  }

  @Override
  public Optional<LedgerEdge> walk(Connection connection, CursorKey key, Start start)
      throws SQLException {
    requireThere(connection, key);
    return tables.walk(connection, start);
  }

  @Override
  public SubscriptionStatus requireThere(Connection connection, CursorKey key) throws SQLException {
    new CursorPlacing(tables, key).requireThere(connection);
    return SubscriptionRows.one(connection, tables, key)
        .map(SubscriptionRows.Place::status)
        .orElseThrow(() -> UnknownName.subscription(key.subscription(), Set.of()));
  }

  @Override
  public void lockName(Connection connection, CursorKey key) throws SQLException {
    new CursorRows(tables, key).lockNewest(connection);
    new CursorPlacing(tables, key).requireThere(connection);
  }

  @Override
  public SubscriptionStatus lockPlace(Connection connection, CursorKey key) throws SQLException {
    new Ledger(tables).lockRetention(connection);
    CursorRows.Row newest = new CursorPlacing(tables, key).requireThere(connection);
    tables.checkRead(connection, key, newest.frontier().high(), newest.known());
    return requireThere(connection, key);
  }

  /**
   * Moves it. What its handlers remember, of all partitions together, may be millions of rows, so
   * it is counted or forgotten before anything is locked that an owner or a purge waits for, and
   * what was written meanwhile is forgotten after.
   */
  @Override
  public Optional<Moved> move(
      Connection connection, String subscription, MoveRequest request, Fenced fenced)
      throws SQLException {
    List<CursorKey> keys = cursors(connection, subscription);
    HandlersMemory memory = tables.handlersMemory(CursorKey.of(subscription));
    long high = 0;
    for (CursorKey key : keys) {
      CursorRows.Row newest = new CursorPlacing(tables, key).requireThere(connection);
      high = Math.max(high, newest.frontier().high());
    }
    OptionalLong readAgain = request.readAgainAbove(high, sight(connection, keys));
    long known = request.processAgain() ? 0 : memory.count(connection, readAgain);
    long forgotten = request.processAgain() ? memory.forget(connection, readAgain) : 0;
    new Ledger(tables).lockRetention(connection);
    LedgerSight sight = sight(connection, keys);
    LongSummaryStatistics from = new LongSummaryStatistics(); // where owners had come to meanwhile
    LongSummaryStatistics to = new LongSummaryStatistics();
    Map<CursorPlacing, CursorPlacing.Placed> all = new LinkedHashMap<>();
    Moved last = new Moved(0, 0);
    for (CursorKey key : keys) {
      CursorPlacing placing = new CursorPlacing(tables, key);
      Optional<CursorPlacing.Placed> placed = placing.move(connection, request, sight);
      if (placed.isEmpty()) {
        return Optional.empty();
      }
      last = placed.get().moved();
      if (!placed.get().stays()) {
        from.accept(last.from());
        to.accept(last.to());
        all.put(placing, placed.get());
      }
    }
    if (all.isEmpty()) {
      throw StartCheck.stays(request, sight, last);
    }
    if (!cursors(connection, subscription).equals(keys)) { // made again before this had the lock
      return Optional.empty();
    }
    fenced.then(connection);
    for (Map.Entry<CursorPlacing, CursorPlacing.Placed> each : all.entrySet()) {
      each.getKey().supersede(connection, each.getValue(), sight);
    }
    if (request.processAgain()) {
      forgotten += memory.forget(connection, request.readAgainAbove(from.getMax(), sight));
    }
    return Optional.of(new Moved(from.getMin(), to.getMin(), known, forgotten));
  }

  /** What one of its cursors can tell holds for all of them. */
  private LedgerSight sight(Connection connection, List<CursorKey> keys) throws SQLException {
    LedgerSight sight = LedgerSight.SAME;
    for (CursorKey key : keys) {
      LedgerSight its = new CursorPlacing(tables, key).sight(connection);
      sight = its.compareTo(sight) > 0 ? its : sight;
    }
    return sight;
  }

  @Override
  public DivisionStep divide(Connection connection, String subscription, Slots slots)
      throws SQLException {
    return new Dividing(tables, subscription, slots).step(connection);
  }

  @Override
  public Optional<String> divideLate(
      Connection connection, String subscription, Slots slots, String after) throws SQLException {
    return tables.sql().late().isEmpty()
        ? Optional.empty()
        : new DividedRows(tables, subscription, slots).moveLate(connection, after);
  }

  /**
   * Deletes it, and what its handlers remember: one that is created again processes everything.
   * That may be millions of rows, so it is forgotten before anything is locked that a purge waits
   * for, and what was written meanwhile after.
   */
  @Override
  public void delete(Connection connection, String subscription, Fenced fenced)
      throws SQLException {
    List<CursorKey> keys = cursors(connection, subscription);
    for (CursorKey key : keys) {
      requireIdle(key, new CursorPlacing(tables, key).requireThere(connection));
      tables.handlersMemory(key).forgetAll(connection);
    }
    new Ledger(tables).lockRetention(connection);
    for (CursorKey key : keys) {
      end(connection, key);
    }
    fenced.then(connection);
    Sql.in(tables, connection, UNDECLARE, subscription).update();
    for (CursorKey key : keys) {
      removeAll(connection, key);
    }
  }

  private void end(Connection connection, CursorKey key) throws SQLException {
    CursorRows rows = new CursorRows(tables, key);
    rows.lockAll(connection);
    tables.handlersMemory(key).forgetAll(connection);
    CursorRows.Row newest = new CursorPlacing(tables, key).requireThere(connection);
    requireIdle(key, newest);
    rows.place(connection, newest, CursorRows.Kind.GONE, 0, null);
  }

  private void removeAll(Connection connection, CursorKey key) throws SQLException {
    remove(connection, REMOVE.formatted("outledger_parked"), key);
    for (String table : tables.sql().late()) {
      remove(connection, REMOVE.formatted(table), key);
    }
    removeCursor(connection, key);
  }

  @Override
  public void rename(Connection connection, CursorKey key, CursorKey to) throws SQLException {
    new Ledger(tables).lockRetention(connection);
    new CursorRows(tables, key).lockAll(connection);
    CursorPlacing placing = new CursorPlacing(tables, key);
    CursorRows.Row newest = placing.requireThere(connection);
    GoneSubscription.requireFree(to, !isThere(connection, to));
    CursorKey undivided = CursorKey.of(to.subscription());
    GoneSubscription.requireFree(undivided, !isThere(connection, undivided));
    requireIdle(key, newest);
    placing.rename(connection, newest, new CursorPlacing(tables, to));
    for (String table : tables.sql().late()) {
      Sql.in(
              tables,
              connection,
              tables.in(RENAME.formatted(table)),
              to.subscription(),
              key.subscription(),
              key.partition())
          .update();
    }
    removeCursor(connection, key);
  }

  @Override
  public void lockIdle(Connection connection, CursorKey key) throws SQLException {
    new Ledger(tables).lockRetention(connection);
    new CursorRows(tables, key).lockAll(connection);
    CursorRows.Row newest = new CursorPlacing(tables, key).requireThere(connection);
    requireIdle(key, newest);
    new CursorRows(tables, key).keep(connection, newest);
  }

  private boolean isThere(Connection connection, CursorKey key) throws SQLException {
    return new CursorRows(tables, key).present(connection).isPresent();
  }

  private void removeCursor(Connection connection, CursorKey key) throws SQLException {
    removeCursor(tables, connection, key);
  }

  /** Removes what goes with a cursor, and its rows; those of take-overs stay. */
  static void removeCursor(LedgerTables tables, Connection connection, CursorKey key)
      throws SQLException {
    // How processes share the partitions stands beside the status of each, with the partition 0.
    remove(tables, connection, REMOVE.formatted(STATUS), CursorKey.of(key.subscription()));
    for (String table : tables.sql().ofCursor()) {
      remove(tables, connection, REMOVE.formatted(table), key);
    }
    remove(tables, connection, REMOVE_SAVED, key);
  }

  private void remove(Connection connection, String sql, CursorKey key) throws SQLException {
    remove(tables, connection, sql, key);
  }

  private static void remove(LedgerTables tables, Connection connection, String sql, CursorKey key)
      throws SQLException {
    Sql.in(tables, connection, sql, key.subscription(), key.partition()).update();
  }

  private static void requireIdle(CursorKey key, CursorRows.Row newest) {
    if (newest.isOwned()) {
      throw new ConfigurationException(
          ErrorCode.SUBSCRIPTION_RUNNING,
          "subscription \""
              + key
              + "\" cannot be deleted or renamed because a relay has a lease on it: close its"
              + " relays first; the lease of a crashed relay expires by itself");
    }
  }
}
