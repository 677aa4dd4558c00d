// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.frontier.Positions;
import io.outledger.frontier.Snapshot;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.PageCut;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RelaySubscription.Shares;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.ServerIdentity;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads the ledger: one statement, so one snapshot. What it asks about the server and the cursor
 * comes as the first row, in the columns of a message, so that no message pays for it.
 */
final class LedgerPoll {

  /** What is larger is left out at first, so that a page's size in memory is bounded. */
  static final int INLINE_BYTES_MAX = 8192;

  /** At least this many messages are returned from open positions, if they are visible. */
  static final int OPEN_MIN = 5000;

  // Each column of a domain is cast to the type below it, which costs nothing. Left to the union,
  // the cast would take a node of its own in the plan, which every message passes.
  private static final String PLACE =
      """
      m.position, m.time::timestamptz, m.id, m.version::int, m.topic::text, m.message_key::text,
      m.type::text,\
      """;

  static final String COLUMNS =
      PLACE
          + """

          CASE WHEN octet_length(m.payload) + coalesce(octet_length(m.headers), 0) <= %1$s
               THEN m.payload::bytea END,
          CASE WHEN octet_length(m.headers) <= %1$s THEN m.headers::text END, m.erased\
          """
              .formatted(INLINE_BYTES_MAX);

  // Most messages are of other partitions. What its own contain is read once they are known.
  private static final String COLUMNS_OF_PARTITION = PLACE + " NULL::bytea, NULL::text, m.erased";

  // Walks along primary keys: one step back for the cursor, for what is declared and for what is
  // paused, one probe for each open position, one for each open range, and forward from "above".
  // Most open ranges are of one position, which the
  // index finds together, in a quarter of the time. OFFSET 0 keeps the planner from turning the
  // ranges inside out, which walks the whole ledger. The only sort is of what is visible in them.
  private static final String SQL =
      """
      (SELECT (SELECT max(x.revision) FROM {schema}.outledger_pause x WHERE x.subscription = ?),
              NULL::timestamptz, NULL::uuid, (
              SELECT max(d.revision)::int FROM {schema}.outledger_declaration d
               WHERE d.reader_kind = 'subscription' AND d.reader = ?), %1$s, newest.n::text,
              %4$s, NULL::bytea, CASE WHEN newest.is_reset THEN NULL ELSE %2$s END, NULL::boolean
         FROM (SELECT ?::bigint AS position, ?::uuid AS id) known LEFT JOIN LATERAL (
              SELECT c.n, %5$s AS is_reset FROM {schema}.outledger_cursor c
               WHERE c.subscription = ? AND c.partition_no = ? ORDER BY c.n DESC LIMIT 1)
              newest ON true)
      UNION ALL
      (SELECT m.*
         FROM (SELECT %3$s FROM {schema}.outledger_message m WHERE m.position = ANY (?::bigint[])
               UNION ALL
               SELECT m.*
                 FROM unnest(?::bigint[], ?::bigint[]) AS open (first, last)
                CROSS JOIN LATERAL (
                      SELECT %3$s FROM {schema}.outledger_message m
                       WHERE m.position BETWEEN open.first AND open.last OFFSET 0) m) m
        ORDER BY m.position LIMIT ?)
      UNION ALL
      (SELECT %3$s
         FROM {schema}.outledger_message m
        WHERE m.position > ? ORDER BY m.position LIMIT ?)
      """;

  private final String sql;
  private final CursorKey key;
  private final Shares shares;
  private final LargeMessages large;

  LedgerPoll(Tables tables, RelaySubscription subscription) {
    this.sql = tables.in(sql(subscription.shares().isAll() ? COLUMNS : COLUMNS_OF_PARTITION));
    this.key = subscription.key();
    this.shares = subscription.shares();
    this.large = new LargeMessages(tables);
  }

  private static String sql(String columns) {
    return SQL.formatted(
        ServerProbe.SERVER,
        ServerProbe.LEDGER,
        columns,
        "pg_current_snapshot()::text",
        LedgerIdentity.isReset("greatest(c.high, known.position)", "known.position", "known.id"));
  }

  Page poll(Session session, PollRequest request) throws SQLException {
    int openMax = Math.max(request.limit(), OPEN_MIN);
    PreparedStatement statement = session.prepareForPages(sql);
    statement.setString(1, key.subscription());
    statement.setString(2, key.subscription());
    int at = key.bind(statement, LedgerIdentity.bind(statement, 3, request.known()));
    Positions alone = request.open().alone();
    Positions others = request.open().minus(alone);
    statement.setArray(at++, session.array(alone.firsts()));
    statement.setArray(at++, session.array(others.firsts()));
    statement.setArray(at++, session.array(others.lasts()));
    statement.setInt(at++, openMax);
    statement.setLong(at++, request.above());
    statement.setInt(at, request.limit());
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      // A relay that has read another ledger loads again; its take-over tells what it had saved.
      ServerIdentity server = ServerProbe.read(rows, 5, 9);
      long newest = rows.getLong(6);
      Snapshot snapshot = snapshot(rows.getString(7));
      long declared = rows.getInt(4); // 0 where nothing was ever declared
      long paused = rows.getLong(1); // nor paused
      MessageReader columns = MessageReader.ofPage(request.bytesMax(), shares);
      PageCut cut = new PageCut(request, read(rows, columns, request.limit()), openMax);
      boolean whole = columns.isWhole();
      List<LedgerMessage> messages = cut.messages();
      cut.keep(whole ? messages.size() : large.fill(session, messages, request.bytesMax()));
      return new Page(
          cut.messages(),
          cut.readTo(),
          cut.withheld(),
          cut.more(),
          snapshot,
          newest,
          declared,
          paused,
          server);
    }
  }

  /**
   * Reads PostgreSQL's {@code pg_snapshot} as text: the lowest id that is still running, the one
   * after the highest that has ended, and those in between that are running, such as {@code
   * 10:20:10,14,15}.
   */
  private static Snapshot snapshot(String text) {
    String[] parts = text.split(":", -1);
    Set<Long> running =
        parts[2].isEmpty()
            ? Set.of()
            : Stream.of(parts[2].split(",", -1)).map(Long::valueOf).collect(Collectors.toSet());
    return new Snapshot(Long.parseLong(parts[1]), running);
  }

  private static List<LedgerMessage> read(ResultSet rows, MessageReader columns, int limit)
      throws SQLException {
    List<LedgerMessage> seen = new ArrayList<>(Math.min(limit, 1024));
    while (rows.next()) {
      seen.add(columns.read(rows, rows.getLong(1)));
    }
    return seen;
  }
}
