// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.CursorRow;
import io.outledger.store.ServerIdentity;
import io.outledger.store.Tenure;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Looks at a cursor's newest row and takes its lease, in one transaction with all that is loaded.
 */
final class TakeOver {

  // Both: one step back along the primary key.
  private static final String NEWEST =
      """
      SELECT c.n, c.incarnation, (extract(epoch FROM c.lease) * 1000)::bigint,
             coalesce(c.lease_until < clock_timestamp(), true), c.lease_until IS NULL
        FROM {schema}.outledger_cursor c
       WHERE c.subscription = ? AND c.partition = ? ORDER BY c.n DESC LIMIT 1\
      """;

  // The row says that it was a take-over's: such rows are kept, so that an owner who was frozen in
  // the middle of a save for ever so long still meets the number it wants to use.
  private static final String TAKE =
      """
      INSERT INTO {schema}.outledger_cursor
             (subscription, partition, n, incarnation, taken, lease, lease_until, high, open_first,
              open_last)
      SELECT newest.subscription, newest.partition, newest.n + 1, ?, true,
             given.millis * interval '1 millisecond',
             clock_timestamp() + given.millis * interval '1 millisecond',
             newest.high, newest.open_first, newest.open_last
        FROM (SELECT c.subscription, c.partition, c.n, c.incarnation, c.high, c.open_first,
                     c.open_last
                FROM {schema}.outledger_cursor c
               WHERE c.subscription = ? AND c.partition = ? ORDER BY c.n DESC LIMIT 1) newest
       CROSS JOIN (SELECT ?::bigint AS millis) given
       WHERE newest.n = ? AND newest.incarnation = ?
      RETURNING n, high, open_first, open_last, %s\
      """
          .formatted(Answerer.COLUMNS);

  private final String newest;
  private final String take;
  private final CursorKey key;
  private final Conditions conditions;
  private final HoleTable holes;
  private final ParkedReads parked;

  TakeOver(Tables tables, CursorKey key) {
    this.newest = tables.in(NEWEST);
    this.take = tables.in(TAKE);
    this.key = key;
    this.conditions = new Conditions(tables, key);
    this.holes = new HoleTable(tables, key);
    this.parked = new ParkedReads(tables, key);
  }

  Optional<CursorRow> look(Session session) throws SQLException {
    PreparedStatement statement = session.prepare(newest);
    key.bind(statement, 1);
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        return Optional.empty();
      }
      return Optional.of(
          new CursorRow(
              row.getLong(1),
              row.getObject(2, UUID.class),
              Duration.ofMillis(row.getLong(3)),
              row.getBoolean(4),
              row.getBoolean(5)));
    }
  }

  Optional<Tenure> takeOver(Session session, CursorRow seen, UUID incarnation, Duration lease)
      throws SQLException {
    try {
      return session.inTransaction(
          () -> {
            conditions.checkServer(session);
            Optional<Tenure> tenure = take(session, seen, incarnation, lease);
            if (tenure.isPresent()) {
              conditions.checkLedger(session, tenure.get().frontier().high());
              if (!isNewest(session, tenure.get())) {
                session.rollback();
                return Optional.empty();
              }
            }
            return tenure;
          });
    } catch (SQLException e) {
      if (StoreFailure.isUniqueViolation(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  // The statement may have hung between its snapshot and its insert, and the former owner have
  // saved
  // on meanwhile: where its row of this number was purged, the key is free again. Newer rows are
  // there then, and this second statement sees them.
  private boolean isNewest(Session session, Tenure tenure) throws SQLException {
    return look(session).filter(row -> row.n() == tenure.n()).isPresent();
  }

  private Optional<Tenure> take(Session session, CursorRow seen, UUID incarnation, Duration lease)
      throws SQLException {
    PreparedStatement statement = session.prepare(take);
    statement.setObject(1, incarnation);
    int at = key.bind(statement, 2);
    statement.setLong(at++, lease.toMillis());
    statement.setLong(at++, seen.n());
    statement.setObject(at, seen.incarnation());
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        return Optional.empty();
      }
      ServerIdentity server = Answerer.read(row, 5, 6);
      Positions aged = holes.load(session);
      Positions open = Positions.ofRanges(longs(row, 3), longs(row, 4)).union(aged);
      Frontier frontier = new Frontier(row.getLong(2), open);
      return Optional.of(
          new Tenure(row.getLong(1), frontier, aged, parked.blocked(session), server));
    }
  }

  private static long[] longs(ResultSet row, int column) throws SQLException {
    Array array = row.getArray(column);
    Long[] boxed = (Long[]) array.getArray();
    long[] values = new long[boxed.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = boxed[i];
    }
    return values;
  }
}
