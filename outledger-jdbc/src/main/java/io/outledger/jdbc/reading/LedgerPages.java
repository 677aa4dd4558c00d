// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.admin.LedgerEntry;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.MessageQuery;
import io.outledger.jdbc.reading.Ledger.Window;
import io.outledger.jdbc.spi.AdminReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pages of the ledger. Only positions have an index, so a call looks at {@value #SCANNED} positions
 * at most and says where it stopped, whether it has found anything or not.
 */
public final class LedgerPages {

  /** How many positions a call looks at. */
  public static final int SCANNED = 20_000;

  /** Messages of a time may lie so many positions from those of their neighbours' time. */
  static final int OUT_OF_ORDER = 6_000;

  private final AdminReads reads;
  private final Ledger ledger;

  /** Makes it, without I/O. */
  public LedgerPages(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
    this.ledger = new Ledger(reads);
  }

  /**
   * Returns the messages that fit, and the place to go on.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Listing<LedgerEntry, Long> list(MessageQuery query) {
    Require.nonNull("query", query);
    return reads.read("listing messages", connection -> list(connection, query));
  }

  Listing<LedgerEntry, Long> list(Connection connection, MessageQuery query) throws SQLException {
    Window left = left(connection, query);
    if (left.isEmpty()) {
      return new Listing<>(List.of(), null);
    }
    Window window = firstOf(left, query.isNewestFirst());
    PageBytes bytes = new PageBytes();
    List<LedgerEntry> rows = new ArrayList<>();
    query(query, window)
        .read(
            connection,
            row -> {
              rows.add(ledger.entry(row, query.payloadBytes(), bytes));
              return rows.size() < query.limit() && !bytes.isFull();
            });
    boolean isFull = rows.size() == query.limit() || bytes.isFull();
    return new Listing<>(rows, next(query, left, isFull ? last(rows) : edge(window, query)));
  }

  private static long last(List<LedgerEntry> rows) {
    return rows.get(rows.size() - 1).position();
  }

  private static long edge(Window window, MessageQuery query) {
    return query.isNewestFirst() ? window.from() : window.to();
  }

  private static @Nullable Long next(MessageQuery query, Window left, long lookedAt) {
    return lookedAt == (query.isNewestFirst() ? left.from() : left.to()) ? null : lookedAt;
  }

  /** Returns the positions that the query leaves to be looked at. */
  private Window left(Connection connection, MessageQuery query) throws SQLException {
    Window all = ledger.all(connection);
    if (all.isEmpty()) {
      return all;
    }
    long from = all.from();
    long to = all.to();
    Instant first = query.from();
    Instant end = query.until();
    if (first != null) {
      from =
          Math.max(from, ledger.positionOf(connection, all, first, Ledger.BY_TIME) - OUT_OF_ORDER);
    }
    if (end != null) {
      to = Math.min(to, ledger.positionOf(connection, all, end, Ledger.BY_TIME) + OUT_OF_ORDER);
    }
    Long after = query.after();
    if (after != null && query.isNewestFirst()) {
      to = Math.min(to, after - 1);
    } else if (after != null) {
      from = Math.max(from, after + 1);
    }
    return new Window(from, to);
  }

  private static Window firstOf(Window left, boolean isNewestFirst) {
    return isNewestFirst
        ? new Window(Math.max(left.from(), left.to() - SCANNED + 1), left.to())
        : new Window(left.from(), Math.min(left.to(), left.from() + SCANNED - 1));
  }

  private Query query(MessageQuery query, Window window) {
    return ledger
        .select(query.payloadBytes())
        .and(" WHERE m.position BETWEEN ? AND ?", window.from(), window.to())
        .andIf(query.from(), " AND m.time >= ?")
        .andIf(query.until(), " AND m.time < ?")
        .andIf(query.id(), " AND m.id = ?")
        .andIf(query.topic(), " AND m.topic = ?")
        .andIf(query.type(), " AND m.type = ?")
        .andIf(query.key(), " AND m.message_key = ?")
        .and(" ORDER BY m.position" + (query.isNewestFirst() ? " DESC" : ""))
        .and(" LIMIT ?", query.limit());
  }
}
