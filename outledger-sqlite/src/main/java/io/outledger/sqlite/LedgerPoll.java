// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.frontier.Positions;
import io.outledger.frontier.Snapshot;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.PageCut;
import io.outledger.jdbc.spi.PauseTable;
import io.outledger.jdbc.sql.CursorRows;
import io.outledger.jdbc.sql.Ledger;
import io.outledger.jdbc.sql.MessageReader;
import io.outledger.jdbc.sql.RangesText;
import io.outledger.jdbc.sql.Sql;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.ServerIdentity;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Reads the ledger: messages in one statement, and so in one snapshot.
 *
 * <p>The proof of dead holes needs to know no writer. One transaction writes at a time, and has the
 * lock before it draws a number: so numbers are committed in their order, and whoever draws one
 * while a message is visible draws a higher one ({@code AUTOINCREMENT}), even where all messages
 * were deleted. A number below a visible one that is not visible in the same snapshot is never
 * going to be. A number that was rolled back is drawn again, and was visible to nobody.
 */
final class LedgerPoll {

  /** At least this many messages are returned from open positions, if they are visible. */
  static final int OPEN_MIN = 5000;

  // Forward along the primary key.
  private static final String ABOVE =
      """
      SELECT %s FROM {schema}.outledger_message m
       WHERE m.position > ? ORDER BY m.position LIMIT ?\
      """
          .formatted(MessageReader.columns("m", "erased"));

  // One range of the primary key for each open range: CROSS JOIN has SQLite begin with the ranges.
  private static final String OPEN_AND_ABOVE =
      """
      SELECT * FROM (
        SELECT %s FROM json_each(?) o CROSS JOIN {schema}.outledger_message m
         WHERE m.position BETWEEN json_extract(o.value, '$[0]') AND json_extract(o.value, '$[1]')
         ORDER BY m.position LIMIT ?)
      UNION ALL
      SELECT * FROM (%s)\
      """
          .formatted(MessageReader.columns("m", "erased"), ABOVE);

  private final Tables tables;
  private final CursorRows rows;
  private final Ledger ledger;
  private final DeclarationTable declarations;
  private final PauseTable pauses;
  private final String subscription;
  private long next = 1;

  LedgerPoll(Tables tables, CursorKey key, DeclarationTable declarations) {
    this.tables = tables;
    this.declarations = declarations;
    this.pauses = new PauseTable(tables);
    this.subscription = key.subscription();
    this.rows = new CursorRows(tables, key);
    this.ledger = new Ledger(tables);
  }

  Page poll(Session session, PollRequest request) throws SQLException {
    Connection connection = session.connection();
    int openMax = Math.max(request.limit(), OPEN_MIN);
    MessageReader reader = new MessageReader(tables.values(), request.bytesMax());
    List<LedgerMessage> seen = read(connection, request, openMax).rows(reader::read);
    PageCut cut = new PageCut(request, seen, openMax);
    cut.keep(Math.min(reader.whole(), cut.messages().size()));
    CursorRows.Row newest = rows.newest(connection).orElse(null);
    return new Page(
        cut.messages(),
        cut.readTo(),
        cut.withheld(),
        cut.more(),
        new Snapshot(next, Set.of()),
        newest == null ? 0 : newest.n(),
        declarations.revision(connection),
        pauses.revision(
            connection, subscription), // both after the messages: none is seen without its own
        server(session, newest == null ? 0 : newest.frontier().high(), request));
  }

  /** Returns a number above the edge of every poll so far. */
  long witness() {
    return next++;
  }

  private Sql read(Connection connection, PollRequest request, int openMax) {
    Positions open = request.open();
    return open.isEmpty()
        ? Sql.in(tables, connection, ABOVE, request.above(), request.limit())
        : Sql.in(
            tables,
            connection,
            OPEN_AND_ABOVE,
            RangesText.write(open),
            openMax,
            request.above(),
            request.limit());
  }

  private ServerIdentity server(Session session, long high, PollRequest request)
      throws SQLException {
    Connection connection = session.connection();
    KnownMessage known = request.known();
    session.numbers().note(ledger.lastNumber(connection));
    boolean isAnother = session.numbers().isRenumbered() || ledger.isReset(connection, high, known);
    // A relay that has read another ledger loads again; its take-over tells what it had saved.
    return isAnother ? session.server().withOtherLedger() : session.server();
  }
}
