// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.frontier.PositionsBuilder;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds where a start is that only the ledger can tell: now, or a time. It walks through the ledger
 * in one statement, and so in one snapshot, before anything is locked. What it finds stays true:
 * what becomes visible afterwards is above the edge or in one of its holes.
 */
final class LedgerScan {

  // The primary key, from how far retention has gone.
  private static final String ALL =
      """
      SELECT m.position, COALESCE(m.time >= CAST(? AS TIMESTAMP(6) WITH TIME ZONE), FALSE)
        FROM {schema}.outledger_message m WHERE m.position > ? ORDER BY m.position\
      """;

  private final String all;
  private final Ledger ledger;

  LedgerScan(Tables tables) {
    this.all = tables.in(ALL);
    this.ledger = new Ledger(tables);
  }

  private record Seen(long position, boolean isWanted) {}

  /** Returns where the start is, or empty where it says so itself. */
  Optional<LedgerEdge> edge(Connection connection, Start start) throws SQLException {
    if (start instanceof Start.AtTime at) {
      return Optional.of(scan(connection, at.time()));
    }
    return start instanceof Start.Now ? Optional.of(scan(connection, null)) : Optional.empty();
  }

  private LedgerEdge scan(Connection connection, @Nullable Instant time) throws SQLException {
    long high = ledger.purgedInThisLedger(connection);
    List<Seen> seen =
        Sql.of(connection, all, time == null ? null : time.atOffset(ZoneOffset.UTC), high)
            .rows(row -> new Seen(row.getLong(1), row.getBoolean(2)));
    PositionsBuilder holes = new PositionsBuilder();
    for (Seen each : seen) {
      if (each.position() > high + 1) {
        holes.add(high + 1, each.position() - 1);
      }
      high = each.isWanted() ? each.position() - 1 : each.position();
      if (each.isWanted()) {
        break;
      }
    }
    return new LedgerEdge(high, holes.build(), ledger.beside(connection, high));
  }
}
