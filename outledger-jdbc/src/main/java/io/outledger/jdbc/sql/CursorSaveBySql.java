// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.frontier.Frontier;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.store.Declaration;
import io.outledger.store.KnownMessage;
import io.outledger.store.Save;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * The owner's save: the cursor's next row, and with it what has changed of open positions and of
 * parked messages, all of it or nothing. Thread-safe.
 */
public final class CursorSaveBySql {

  private final SqlErrors errors;
  private final CursorRows rows;
  private final HolesBySql holes;
  private final ParkedWritesBySql parked;
  private final Ledger ledger;

  /** Creates it, without I/O. */
  public CursorSaveBySql(LedgerTables tables, CursorKey key, HolesBySql holes) {
    this.errors = tables.errors();
    this.rows = new CursorRows(tables, key);
    this.holes = holes;
    this.parked = new ParkedWritesBySql(tables, key);
    this.ledger = new Ledger(tables);
  }

  /** Saves, and returns whether it did: not where another owns the cursor, or it is another one. */
  public boolean save(LedgerSession session, Save save) throws SQLException {
    return session.inTransaction(connection -> insertNext(session, connection, save));
  }

  /** Returns whether it did: not where another owner has inserted its next row. */
  private boolean insert(Connection connection, CursorRows.Next next) throws SQLException {
    try {
      rows.insert(connection, next);
      return true;
    } catch (SQLException e) {
      if (errors.classOf(e) == ErrorClass.DUPLICATE_KEY) {
        return false;
      }
      throw e;
    }
  }

  /** Inserts the next row and what changed with it, and returns whether it did. */
  private boolean insertNext(LedgerSession session, Connection connection, Save save)
      throws SQLException {
    Optional<CursorRows.Row> newest =
        rows.newest(connection)
            .filter(row -> row.n() == save.n() && row.incarnation().equals(save.incarnation()));
    if (newest.isEmpty()) {
      return false;
    }
    session.numbers().note(ledger.lastNumber(connection));
    if (session.numbers().isRenumbered() || !session.server().equals(save.server())) {
      return false;
    }
    KnownMessage known = save.known() == null ? newest.get().known() : save.known();
    Frontier frontier =
        new Frontier(save.frontier().high(), save.frontier().open().minus(save.overflow()));
    Duration before = newest.get().lease();
    CursorRows.Next next =
        new CursorRows.Next(
            save.n() + 1,
            save.incarnation(),
            CursorRows.Kind.SAVED,
            save.lease(),
            before,
            frontier,
            known,
            Declaration.write(save.lacking()));
    if (!insert(connection, next)) {
      return false;
    }
    holes.change(connection, save.overflowBefore(), save.overflow());
    parked.apply(connection, save.changes());
    return true;
  }
}
