// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.store.CursorRow;
import io.outledger.store.Declaration;
import io.outledger.store.Division;
import io.outledger.store.KnownMessage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A cursor's rows. Whoever changes a cursor inserts the number after the newest row: of two who do
 * so at the same time both want the same number, so the second fails. That is the fence.
 *
 * <p>Whoever ends another's ownership writes a row that says {@code taken}. Such rows are kept
 * until they are older than the retention, and numbers continue even over a deletion, so an owner
 * that was frozen meets the number it wants to use. Thread-safe.
 */
public final class CursorRows {

  // One step back along the primary key.
  private static final String NEWEST =
      """
      SELECT c.n, c.incarnation, c.lease_millis, COALESCE(c.lease_until < %s, TRUE),
             c.lease_until IS NULL, c.gone, c.lacking%s
        FROM {schema}.outledger_cursor c
       WHERE c.subscription = ? AND c.partition_no = ? ORDER BY c.n DESC LIMIT 1\
      """;
  // The same step, and all of them: few, for old ones are purged.
  private static final String LOCK_NEWEST =
      """
      SELECT c.n FROM {schema}.outledger_cursor c
       WHERE c.subscription = ? AND c.partition_no = ? ORDER BY c.n DESC LIMIT 1\
      """;
  private static final String LOCK_ALL =
      """
      SELECT c.n FROM {schema}.outledger_cursor c
       WHERE c.subscription = ? AND c.partition_no = ? ORDER BY c.n\
      """;
  private static final String FRONTIER = ", c.high, c.known_position, c.known_id";

  // A range of a primary key, in the snapshot of the row: whoever divides writes the row after it.
  private static final String DIVISION =
      """
      , c.high,
             (SELECT x.scope_name FROM {schema}.outledger_pause x
               WHERE x.subscription = c.subscription AND x.scope_kind = 'partitions'
                 AND NOT x.ended)\
      """;

  // The primary key.
  private static final String INSERT =
      """
      INSERT INTO {schema}.outledger_cursor
             (subscription, partition_no, n, taken, gone, lease_millis, high, known_position,
              known_id, %s, lacking, saved_at, lease_until, incarnation)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, %s, ?, {now}, %s, %s)\
      """;

  private static final String ROLLED_BACK = "40001";
  private static final String UNEXPECTED = "27000"; // as for a row that a trigger changed

  private final LedgerTables tables;
  private final CursorKey key;
  private final String seen;
  private final String newest;
  private final String insert;

  /** Creates it, without I/O. */
  public CursorRows(LedgerTables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
    this.seen = tables.in(NEWEST.formatted(tables.sql().now(), DIVISION));
    List<String> open = tables.openRanges().columns();
    this.newest =
        tables.in(
            NEWEST.formatted(tables.sql().now(), FRONTIER + ", c." + String.join(", c.", open)));
    this.insert =
        INSERT.formatted(
            String.join(", ", open),
            String.join(", ", Collections.nCopies(open.size(), "?")),
            tables.sql().later(),
            "%s");
  }

  /**
   * What a relay sees of the newest row.
   *
   * @param row it; nobody may take its lease where it has been read up to where others are to begin
   * @param gone whether it says that the subscription was deleted
   */
  public record Seen(CursorRow row, boolean gone) {}

  /** Returns what a relay sees of the newest row, without its frontier. */
  public Optional<Seen> seen(Connection connection) throws SQLException {
    return Sql.in(tables, connection, seen, key.subscription(), key.partition())
        .first(row -> new Seen(seen(row), row.getBoolean(6)));
  }

  private CursorRow seen(ResultSet row) throws SQLException {
    CursorRow seen = cursorRow(row);
    String division = row.getString(9);
    return division == null || row.getLong(8) < Division.of(division).upTo()
        ? seen
        : seen.waiting(PartitionPlacing.waits(Division.of(division)));
  }

  private CursorRow cursorRow(ResultSet row) throws SQLException {
    return new CursorRow(
        row.getLong(1),
        tables.values().uuid(row, 2),
        Duration.ofMillis(row.getLong(3)),
        row.getBoolean(4),
        row.getBoolean(5),
        Declaration.read(row.getString(7)),
        null);
  }

  /**
   * What a row says.
   *
   * @param n its number
   * @param incarnation who wrote it
   * @param lease how long leases last
   * @param isOwned whether somebody has a lease that has not run out
   * @param gone whether it says that the subscription was deleted
   * @param frontier what is settled, without what stands beside the row
   * @param known the message by which the ledger is known again; null for none
   */
  public record Row(
      long n,
      UUID incarnation,
      Duration lease,
      boolean isOwned,
      boolean gone,
      Frontier frontier,
      @Nullable KnownMessage known) {}

  /**
   * The next row.
   *
   * @param n its number
   * @param incarnation who writes it; null for somebody who owns nothing
   * @param kind why it is written
   * @param lease how long a lease is to last from now; zero for none
   * @param leaseBefore what stands in the row where there is none
   * @param frontier what is settled, without the overflow
   * @param known the message by which the next owner knows the ledger; null for none
   * @param lacking what is declared and the owner does not have; null for nothing
   */
  public record Next(
      long n,
      @Nullable UUID incarnation,
      Kind kind,
      Duration lease,
      Duration leaseBefore,
      Frontier frontier,
      @Nullable KnownMessage known,
      @Nullable String lacking) {}

  /** Why a row is written. */
  public enum Kind {
    /** By its owner. */
    SAVED,
    /** By somebody who ends another's ownership. */
    TAKEN,
    /** By whoever deletes the subscription. */
    GONE
  }

  /** Returns the newest row, one that says the subscription is gone included. */
  public Optional<Row> newest(Connection connection) throws SQLException {
    return Sql.in(tables, connection, newest, key.subscription(), key.partition())
        .first(
            row ->
                new Row(
                    row.getLong(1),
                    tables.values().uuid(row, 2),
                    Duration.ofMillis(row.getLong(3)),
                    !row.getBoolean(4),
                    row.getBoolean(6),
                    new Frontier(row.getLong(8), tables.openRanges().read(row, 11)),
                    new Ledger(tables).known(row, 9)));
  }

  /** Returns the newest row of a subscription that is there. */
  public Optional<Row> present(Connection connection) throws SQLException {
    return newest(connection).filter(row -> !row.gone());
  }

  /**
   * Sees to it that until the transaction ends nobody renames or deletes the subscription. Its
   * owner goes on: it inserts rows behind this one.
   */
  void lockNewest(Connection connection) throws SQLException {
    lock(connection, LOCK_NEWEST);
  }

  /** Waits for all who rely on the name, and has others wait who would. */
  void lockAll(Connection connection) throws SQLException {
    lock(connection, LOCK_ALL);
  }

  private void lock(Connection connection, String rows) throws SQLException {
    String text = tables.in(rows + tables.sql().forUpdate());
    Sql.in(tables, connection, text, key.subscription(), key.partition())
        .rows(row -> row.getLong(1));
  }

  /**
   * Inserts the next row.
   *
   * @throws SQLException of class DUPLICATE_KEY where somebody else was faster; of class REFUSED
   *     where a trigger drops the row
   */
  public void insert(Connection connection, Next next) throws SQLException {
    boolean hasLease = !next.lease().isZero();
    UUID incarnation = next.incarnation();
    KnownMessage known = next.known();
    List<@Nullable Object> values = new ArrayList<>();
    values.add(key.subscription());
    values.add(key.partition());
    values.add(next.n());
    values.add(next.kind() != Kind.SAVED);
    values.add(next.kind() == Kind.GONE);
    values.add((hasLease ? next.lease() : next.leaseBefore()).toMillis());
    values.add(next.frontier().high());
    values.add(known == null ? null : known.position());
    values.add(known == null ? null : known.id());
    values.addAll(List.of(tables.openRanges().values(connection, next.frontier().open())));
    values.add(next.lacking());
    values.add(hasLease ? next.lease().toMillis() : null);
    if (incarnation != null) {
      values.add(incarnation);
    }
    String id = incarnation == null ? tables.sql().newId() : "?";
    if (Sql.in(tables, connection, insert.formatted(id), values.toArray()).update() != 1) {
      throw new SQLException(
          "a trigger kept the cursor of subscription " + key + " from being written", UNEXPECTED);
    }
  }

  /**
   * Places the cursor, whoever owned it, in a transaction that holds the retention's lock.
   *
   * @param newest the newest row; null where there is none
   * @throws SQLTransactionRollbackException if its owner was faster; to be done again
   */
  void place(
      Connection connection, @Nullable Row newest, Kind kind, long high, @Nullable KnownMessage at)
      throws SQLException {
    long n = newest == null ? 1 : newest.n() + 1;
    Duration lease = newest == null ? Duration.ZERO : newest.lease();
    Frontier frontier = new Frontier(high, Positions.NONE);
    place(connection, new Next(n, null, kind, Duration.ZERO, lease, frontier, at, null));
  }

  /**
   * Writes the newest row again as the next one, so that nobody takes the lease meanwhile.
   *
   * @throws SQLTransactionRollbackException if somebody was faster; to be done again
   */
  void keep(Connection connection, Row newest) throws SQLException {
    place(
        connection,
        new Next(
            newest.n() + 1,
            null,
            Kind.TAKEN,
            Duration.ZERO,
            newest.lease(),
            newest.frontier(),
            newest.known(),
            null));
  }

  private void place(Connection connection, Next next) throws SQLException {
    try {
      insert(connection, next);
    } catch (SQLException e) {
      throw tables.errors().classOf(e) == ErrorClass.DUPLICATE_KEY ? race(e) : e;
    }
    if (newest(connection).map(Row::n).orElse(0L) != next.n()) {
      throw race(null);
    }
  }

  private SQLException race(@Nullable SQLException cause) {
    return race(key, cause);
  }

  /** Returns the error of a transaction that is to be done again. */
  static SQLException race(CursorKey key, @Nullable SQLException cause) {
    return new SQLTransactionRollbackException(
        "another session changed the cursor of subscription " + key, ROLLED_BACK, cause);
  }
}
