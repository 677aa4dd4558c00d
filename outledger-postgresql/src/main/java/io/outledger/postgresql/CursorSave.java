// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.frontier.Positions;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.Declaration;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The owner's save: the cursor's next row, and with it what has changed of open positions and of
 * parked messages, all of it or nothing.
 */
final class CursorSave {

  private final String sql;
  private final CursorKey key;
  private final HoleTable holes;
  private final ParkedWrites parked;

  CursorSave(Tables tables, CursorKey key) {
    this.sql = CursorWrite.SAVE.in(tables);
    this.key = key;
    this.holes = new HoleTable(tables, key);
    this.parked = new ParkedWrites(tables, key);
  }

  SaveOutcome save(Session session, Save save) throws SQLException {
    if (save.changes().isEmpty() && save.overflowBefore().equals(save.overflow())) {
      return insert(session, save);
    }
    return session.inTransaction(
        connection -> {
          SaveOutcome outcome = insert(session, save);
          if (outcome instanceof SaveOutcome.Saved) {
            holes.change(session, save);
            parked.apply(session, save.changes());
          } else {
            connection.rollback();
          }
          return outcome;
        });
  }

  private SaveOutcome insert(Session session, Save save) throws SQLException {
    Positions open = save.frontier().open().minus(save.overflow());
    PreparedStatement statement = session.prepare(sql);
    statement.setLong(1, save.frontier().high());
    int at = LedgerIdentity.bind(statement, 2, save.known());
    statement.setArray(at++, session.array(open.firsts()));
    statement.setArray(at++, session.array(open.lasts()));
    statement.setString(at++, Declaration.write(save.lacking()));
    at = CursorWrite.bind(statement, at, key, save.incarnation(), save.lease());
    statement.setLong(at++, save.n());
    statement.setObject(at++, save.incarnation());
    ServerProbe.bind(statement, at, save.server());
    try (ResultSet row = statement.executeQuery()) {
      return row.next()
          ? new SaveOutcome.Saved(row.getLong(1), ServerProbe.read(row, 2, 3))
          : new SaveOutcome.Fenced();
    } catch (SQLException e) {
      if (PostgresErrors.isDuplicate(e)) {
        return new SaveOutcome.Fenced();
      }
      throw e;
    }
  }
}
