// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.frontier.PositionsBuilder;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
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

  /** Returns where the start is, or empty where it says so itself. */
  Optional<LedgerEdge> edge(Connection connection, Start start) throws SQLException {
    if (start instanceof Start.AtTime at) {
      return Optional.of(scan(connection, at.time()));
    }
    return start instanceof Start.Now ? Optional.of(scan(connection, null)) : Optional.empty();
  }

  private LedgerEdge scan(Connection connection, @Nullable Instant time) throws SQLException {
    Walk walk = new Walk(ledger.purgedInThisLedger(connection));
    Sql.of(connection, all, time == null ? null : time.atOffset(ZoneOffset.UTC), walk.high)
        .read(walk::step);
    return new LedgerEdge(walk.high, walk.holes.build(), ledger.beside(connection, walk.high));
  }

  /** A walk along the ledger, up to the first message that is wanted. Used once. */
  private static final class Walk {

    private final PositionsBuilder holes = new PositionsBuilder();
    private long high;

    private Walk(long after) {
      this.high = after;
    }

    /** Passes a message, and returns whether to go on. */
    private boolean step(ResultSet row) throws SQLException {
      long position = row.getLong(1);
      boolean isWanted = row.getBoolean(2);
      if (position > high + 1) {
        holes.add(high + 1, position - 1);
      }
      high = isWanted ? position - 1 : position;
      return !isWanted;
    }
  }
}
