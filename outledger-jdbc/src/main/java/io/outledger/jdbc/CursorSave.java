// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.frontier.Positions;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Inserts a cursor's next row. The fence has two halves: the newest row must still be the owner's,
 * and a successor that was faster unseen makes the key a duplicate. Beside it, the server must be
 * the one that gave the lease: the messages that were read may be lost on another one.
 */
final class CursorSave {

  // One step back along the primary key, and one insert into it.
  private static final String SQL =
      """
      INSERT INTO {schema}.outledger_cursor
             (subscription, partition, n, incarnation, lease, lease_until, high, open_first,
              open_last)
      SELECT newest.subscription, newest.partition, newest.n + 1, newest.incarnation,
             CASE WHEN given.millis > 0 THEN given.millis * interval '1 millisecond'
                  ELSE newest.lease END,
             CASE WHEN given.millis > 0
                  THEN clock_timestamp() + given.millis * interval '1 millisecond' END,
             ?, ?, ?
        FROM (SELECT c.subscription, c.partition, c.n, c.incarnation, c.lease
                FROM {schema}.outledger_cursor c
               WHERE c.subscription = ? AND c.partition = ? ORDER BY c.n DESC LIMIT 1) newest
       CROSS JOIN (SELECT ?::bigint AS millis) given
       WHERE newest.n = ? AND newest.incarnation = ? AND %s
      RETURNING pg_current_xact_id()::text::bigint, %s\
      """
          .formatted(Answerer.IS_THE_SAME, Answerer.COLUMNS);

  private final String sql;
  private final CursorKey key;
  private final HoleTable holes;
  private final ParkedWrites parked;

  CursorSave(Tables tables, CursorKey key) {
    this.sql = tables.in(SQL);
    this.key = key;
    this.holes = new HoleTable(tables, key);
    this.parked = new ParkedWrites(tables, key);
  }

  SaveOutcome save(Session session, Save save) throws SQLException {
    if (save.changes().isEmpty() && save.agedBefore().equals(save.aged())) {
      return insert(session, save);
    }
    return session.inTransaction(
        () -> {
          SaveOutcome outcome = insert(session, save);
          if (outcome instanceof SaveOutcome.Saved) {
            holes.change(session, save);
            parked.apply(session, save.changes());
          } else {
            session.rollback();
          }
          return outcome;
        });
  }

  private SaveOutcome insert(Session session, Save save) throws SQLException {
    Positions open = save.frontier().open().minus(save.aged());
    PreparedStatement statement = session.prepare(sql);
    statement.setLong(1, save.frontier().high());
    statement.setArray(2, session.array(open.firsts()));
    statement.setArray(3, session.array(open.lasts()));
    int at = key.bind(statement, 4);
    statement.setLong(at++, save.lease().toMillis());
    statement.setLong(at++, save.n());
    statement.setObject(at++, save.incarnation());
    Answerer.bind(statement, at, save.server());
    try (ResultSet row = statement.executeQuery()) {
      return row.next()
          ? new SaveOutcome.Saved(row.getLong(1), Answerer.read(row, 2, 3))
          : new SaveOutcome.Fenced();
    } catch (SQLException e) {
      if (StoreFailure.isUniqueViolation(e)) {
        return new SaveOutcome.Fenced();
      }
      throw e;
    }
  }
}
