// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.frontier.Positions;
import io.outledger.frontier.Snapshot;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.PageCut;
import io.outledger.jdbc.spi.PauseTable;
import io.outledger.jdbc.sql.CursorRows;
import io.outledger.jdbc.sql.Gate;
import io.outledger.jdbc.sql.Ledger;
import io.outledger.jdbc.sql.MessageReader;
import io.outledger.jdbc.sql.RangesText;
import io.outledger.jdbc.sql.Sql;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.ServerIdentity;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the ledger: messages in one statement, and so in one snapshot. The gate is looked at
 * before, so what its writers have committed by then is visible to it; whether it is still the
 * ledger that the reader knows, after it.
 */
final class LedgerPoll {

  /** At least this many messages are returned from open positions, if they are visible. */
  static final int OPEN_MIN = 5000;

  /** That many ranges with no more positions are read together with what is above. */
  private static final int FEW_RANGES = 4;

  private static final int FEW_OPEN = 100;

  /** A proof takes seconds, so looks that follow one upon the other would only cost a drain. */
  private static final long LOOK_EVERY_NANOS = 20_000_000;

  // Forward along the primary key.
  private static final String ABOVE =
      """
      SELECT %s FROM {schema}.outledger_message m
       WHERE m.position > ? ORDER BY m.position LIMIT ?\
      """
          .formatted(MessageReader.columns("m", "erased"));

  // The primary key again, in ranges. With UNION, the server writes the whole page into a table of
  // its own first: to disk, since messages are not of a bounded size.
  private static final String FEW_OPEN_AND_ABOVE =
      """
      SELECT %s FROM {schema}.outledger_message m FORCE INDEX (PRIMARY)
       WHERE %s m.position > ? ORDER BY m.position LIMIT ?\
      """
          .formatted(
              MessageReader.columns("m", "erased"),
              "m.position BETWEEN ? AND ? OR ".repeat(FEW_RANGES));

  // One range of the primary key for each open range.
  private static final String OPEN_AND_ABOVE =
      """
      (SELECT %s
         FROM JSON_TABLE(?, '$[*]' COLUMNS (f BIGINT PATH '$[0]', l BIGINT PATH '$[1]')) o
         STRAIGHT_JOIN {schema}.outledger_message m FORCE INDEX (PRIMARY)
                    ON m.position BETWEEN o.f AND o.l
        ORDER BY m.position LIMIT ?)
      UNION ALL
      (%s)\
      """
          .formatted(MessageReader.columns("m", "erased"), ABOVE);

  private final Tables tables;
  private final CursorRows rows;
  private final Ledger ledger;
  private final Gate gate;
  private final GateLook look;
  private final DeclarationTable declarations;
  private final PauseTable pauses;
  private final String subscription;
  private final TimeSource time = TimeSource.system();
  private long lookedAt = time.nanoTime() - LOOK_EVERY_NANOS;

  LedgerPoll(Tables tables, CursorKey key, Gate gate, DeclarationTable declarations) {
    this.tables = tables;
    this.declarations = declarations;
    this.pauses = new PauseTable(tables);
    this.subscription = key.subscription();
    this.rows = new CursorRows(tables, key);
    this.ledger = new Ledger(tables);
    this.gate = gate;
    this.look = new GateLook(tables);
  }

  Page poll(Session session, PollRequest request) throws SQLException {
    Connection connection = session.connection();
    look(connection, request.open());
    Snapshot snapshot = gate.snapshot();
    int openMax = Math.max(request.limit(), OPEN_MIN);
    MessageReader reader = new MessageReader(tables.values(), request.bytesMax());
    List<LedgerMessage> seen = new ArrayList<>();
    read(connection, request, openMax)
        .readOneByOne(
            row -> {
              seen.add(reader.read(row));
              return true;
            });
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

  /** Looks at the gate, and at the holes that it leaves, where either may prove something. */
  private void look(Connection connection, Positions open) throws SQLException {
    long now = time.nanoTime();
    if (!gate.wantsLook() || now - lookedAt < LOOK_EVERY_NANOS) {
      return;
    }
    lookedAt = now;
    gate.looked(look.free(connection));
    if (!look.isAnyLocked(connection, gate.toProbe(open))) {
      gate.probed();
    }
  }

  private Sql read(Connection connection, PollRequest request, int openMax) {
    Positions open = request.open();
    if (open.isEmpty()) {
      return Sql.in(tables, connection, ABOVE, request.above(), request.limit());
    }
    long[] firsts = open.firsts();
    long[] lasts = open.lasts();
    if (firsts.length > FEW_RANGES || open.size() > FEW_OPEN) {
      return Sql.in(
          tables,
          connection,
          OPEN_AND_ABOVE,
          RangesText.write(open),
          openMax,
          request.above(),
          request.limit());
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < FEW_RANGES; i++) {
      int range = Math.min(i, firsts.length - 1);
      values.add(firsts[range]);
      values.add(lasts[range]);
    }
    values.add(request.above());
    values.add(request.limit() + open.size());
    return Sql.in(tables, connection, FEW_OPEN_AND_ABOVE, values.toArray());
  }

  private ServerIdentity server(Session session, long high, PollRequest request)
      throws SQLException {
    Connection connection = session.connection();
    session.numbers().note(ledger.lastNumber(connection));
    boolean isAnother =
        session.numbers().isRenumbered() || ledger.isReset(connection, high, request.known());
    // A relay that has read another ledger loads again; its take-over tells what it had saved.
    ServerIdentity server = session.server();
    return isAnother ? server.withOtherLedger() : server;
  }
}
