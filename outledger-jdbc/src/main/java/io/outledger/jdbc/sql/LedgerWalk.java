// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.frontier.PositionsBuilder;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Finds where a start is that only the ledger can tell: now, or a time. It walks through the ledger
 * in one statement, and so in one snapshot; see {@link LedgerTables#walk}. All positions come to
 * this process, one after the other. Thread-safe.
 */
public final class LedgerWalk {

  // The primary key, from how far retention has gone.
  private static final String ALL =
      """
      SELECT m.position, %s
        FROM {schema}.outledger_message m WHERE m.position > ? ORDER BY m.position\
      """;

  private final LedgerTables tables;
  private final String toTheEnd;
  private final String toATime;
  private final Ledger ledger;

  /** Creates it, without I/O. */
  public LedgerWalk(LedgerTables tables) {
    this.tables = tables;
    this.toTheEnd = tables.in(ALL.formatted("FALSE"));
    this.toATime = tables.in(ALL.formatted("m.time >= ?"));
    this.ledger = new Ledger(tables);
  }

  /** Returns where the start is, or empty where it says so itself. */
  public Optional<LedgerEdge> edge(Connection connection, Start start) throws SQLException {
    Walk walk = new Walk(ledger.purgedInThisLedger(connection));
    if (start instanceof Start.AtTime at) {
      return Optional.of(
          edge(connection, walk, Sql.in(tables, connection, toATime, at.time(), walk.high)));
    }
    return start instanceof Start.Now
        ? Optional.of(edge(connection, walk, Sql.in(tables, connection, toTheEnd, walk.high)))
        : Optional.empty();
  }

  private LedgerEdge edge(Connection connection, Walk walk, Sql all) throws SQLException {
    all.read(walk::step);
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
