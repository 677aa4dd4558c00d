// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.KnownMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A cursor's rows. Whoever changes a cursor inserts the number after the newest row: of two who do
 * so at the same time both want the same number, so the second fails. That is the fence.
 *
 * <p>Whoever ends another's ownership writes a row that says {@code taken}. Such rows are kept
 * until they are older than the retention, and numbers continue even over a deletion, so an owner
 * that was frozen meets the number it wants to use.
 */
final class CursorRows {

  // One step back along the primary key.
  private static final String NEWEST =
      """
      SELECT c.n, c.incarnation, c.lease_millis,
             COALESCE(c.lease_until < CURRENT_TIMESTAMP, TRUE), c.lease_until IS NULL, c.gone,
             c.high, c.known_position, c.known_id, c.open_first, c.open_last,
             c.lacking
        FROM {schema}.outledger_cursor c
       WHERE c.subscription = ? AND c.partition = ? ORDER BY c.n DESC LIMIT 1\
      """;

  // The primary key.
  private static final String INSERT =
      """
      INSERT INTO {schema}.outledger_cursor
             (subscription, partition, n, incarnation, taken, gone, lease_millis, lease_until,
              high, known_position, known_id, open_first, open_last, lacking)
      SELECT CAST(? AS VARCHAR), CAST(? AS INTEGER), CAST(? AS BIGINT),
             COALESCE(CAST(? AS UUID), RANDOM_UUID()),
             CAST(? AS BOOLEAN), CAST(? AS BOOLEAN), CAST(? AS BIGINT),
             DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP), CAST(? AS BIGINT),
             CAST(? AS BIGINT), CAST(? AS UUID), CAST(? AS BIGINT ARRAY), CAST(? AS BIGINT ARRAY),
             CAST(? AS VARCHAR)\
      """;

  private static final String ROLLED_BACK = "40001";

  private final String newest;
  private final String insert;
  private final CursorKey key;

  CursorRows(Tables tables, CursorKey key) {
    this.newest = tables.in(NEWEST);
    this.insert = tables.in(INSERT);
    this.key = key;
  }

  /** What a row says. */
  record Row(
      long n,
      UUID incarnation,
      Duration lease,
      boolean lapsed,
      boolean released,
      boolean gone,
      Frontier frontier,
      @Nullable KnownMessage known,
      @Nullable String lacking) {

    boolean isOwned() {
      return !released && !lapsed;
    }
  }

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
  record Next(
      long n,
      @Nullable UUID incarnation,
      Kind kind,
      Duration lease,
      Duration leaseBefore,
      Frontier frontier,
      @Nullable KnownMessage known,
      @Nullable String lacking) {}

  /** Why a row is written. */
  enum Kind {
    /** By its owner. */
    SAVED,
    /** By somebody who ends another's ownership. */
    TAKEN,
    /** By whoever deletes the subscription. */
    GONE
  }

  /** Returns the newest row, one that says the subscription is gone included. */
  Optional<Row> newest(Connection connection) throws SQLException {
    return Sql.of(connection, newest, key.subscription(), key.partition())
        .first(
            row ->
                new Row(
                    row.getLong(1),
                    row.getObject(2, UUID.class),
                    Duration.ofMillis(row.getLong(3)),
                    row.getBoolean(4),
                    row.getBoolean(5),
                    row.getBoolean(6),
                    new Frontier(
                        row.getLong(7), Positions.ofRanges(Sql.longs(row, 10), Sql.longs(row, 11))),
                    Ledger.known(row, 8),
                    row.getString(12)));
  }

  /** Returns the newest row of a subscription that is there. */
  Optional<Row> present(Connection connection) throws SQLException {
    return newest(connection).filter(row -> !row.gone());
  }

  /**
   * Inserts the next row.
   *
   * @throws SQLException of class DUPLICATE_KEY where somebody else was faster
   */
  void insert(Connection connection, Next next) throws SQLException {
    boolean hasLease = !next.lease().isZero();
    Positions open = next.frontier().open();
    KnownMessage known = next.known();
    Sql.of(
            connection,
            insert,
            key.subscription(),
            key.partition(),
            next.n(),
            next.incarnation(),
            next.kind() != Kind.SAVED,
            next.kind() == Kind.GONE,
            (hasLease ? next.lease() : next.leaseBefore()).toMillis(),
            hasLease ? next.lease().toMillis() : null,
            next.frontier().high(),
            known == null ? null : known.position(),
            known == null ? null : known.id(),
            Sql.array(open.firsts()),
            Sql.array(open.lasts()),
            next.lacking())
        .update();
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
    try {
      insert(
          connection,
          new Next(
              n, null, kind, Duration.ZERO, lease, new Frontier(high, Positions.NONE), at, null));
    } catch (SQLException e) {
      throw H2Errors.isDuplicate(e) ? race(e) : e;
    }
    if (newest(connection).map(Row::n).orElse(0L) != n) {
      throw race(null);
    }
  }

  private SQLException race(@Nullable SQLException cause) {
    return new SQLTransactionRollbackException(
        "another session changed the cursor of subscription " + key, ROLLED_BACK, cause);
  }
}
