// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.frontier.Positions;
import io.outledger.frontier.Snapshot;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.PageCut;
import io.outledger.jdbc.spi.PauseTable;
import io.outledger.jdbc.sql.CursorRows;
import io.outledger.jdbc.sql.Ledger;
import io.outledger.jdbc.sql.MessageReader;
import io.outledger.jdbc.sql.Sql;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.ServerIdentity;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Reads the ledger: messages in one statement, and so in one snapshot. Who holds the ledger's lock
 * is looked up before, so what they have committed by then is visible to it; whether it is still
 * the ledger that the reader knows, after it.
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

  // One range of the primary key for each open range; the outer join has H2 begin with the ranges.
  private static final String OPEN_AND_ABOVE =
      """
      (SELECT %s
         FROM UNNEST(CAST(? AS BIGINT ARRAY), CAST(? AS BIGINT ARRAY)) AS o (f, l)
         LEFT JOIN {schema}.outledger_message m ON m.position >= o.f AND m.position <= o.l
        WHERE m.position IS NOT NULL ORDER BY m.position LIMIT ?)
      UNION ALL
      (%s)\
      """
          .formatted(MessageReader.columns("m", "erased"), ABOVE);

  private final String above;
  private final String openAndAbove;
  private final CursorRows rows;
  private final Ledger ledger;
  private final Writers writers;
  private final Tables tables;
  private final DeclarationTable declarations;
  private final PauseTable pauses;
  private final String subscription;

  LedgerPoll(Tables tables, CursorKey key, Writers writers, DeclarationTable declarations) {
    this.tables = tables;
    this.declarations = declarations;
    this.pauses = new PauseTable(tables);
    this.subscription = key.subscription();
    this.above = tables.in(ABOVE);
    this.openAndAbove = tables.in(OPEN_AND_ABOVE);
    this.rows = new CursorRows(tables, key);
    this.ledger = new Ledger(tables);
    this.writers = writers;
  }

  Page poll(Session session, PollRequest request) throws SQLException {
    Connection connection = session.connection();
    writers.look(connection);
    Snapshot snapshot = writers.snapshot();
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
        snapshot,
        newest == null ? 0 : newest.n(),
        declarations.revision(connection),
        pauses.revision(
            connection, subscription), // both after the messages: none is seen without its own
        server(session, newest == null ? 0 : newest.frontier().high(), request));
  }

  private Sql read(Connection connection, PollRequest request, int openMax) {
    Positions open = request.open();
    return open.isEmpty()
        ? Sql.of(connection, above, request.above(), request.limit())
        : Sql.of(
            connection,
            openAndAbove,
            Longs.array(open.firsts()),
            Longs.array(open.lasts()),
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
