// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.spi.SqlNaming;
import io.outledger.store.KnownMessage;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One database's tables in one schema, as the stories that are told once see them. Thread-safe. */
public interface LedgerTables extends SqlNaming {

  /** Returns the database's table of error classes. */
  SqlErrors errors();

  /** Returns the texts. */
  LedgerSql sql();

  /** Returns how a cursor's row holds its open ranges. */
  OpenRanges openRanges();

  /** Returns what a subscription's transactional handlers remember. */
  HandlersMemory handlersMemory(CursorKey key);

  /** Returns the open positions that stand beside a cursor's row. */
  OpenPositions openPositions(CursorKey key);

  /**
   * Finds where a start is that only the ledger can tell: now, or a time. By {@link LedgerWalk},
   * unless the database has a faster way. It walks through the ledger in one snapshot, before
   * anything is locked. What it finds stays true: what becomes visible afterwards is above the edge
   * or in one of its holes.
   *
   * @return empty where the start says it without a walk
   */
  default Optional<LedgerEdge> walk(Connection connection, Start start) throws SQLException {
    return new LedgerWalk(this).edge(connection, start);
  }

  /**
   * Takes away what is parked of messages that a cursor which was just moved reads again, in the
   * same transaction, by {@link ParkedAfterMoveBySql} unless the database has another way. A row
   * stays if its message is purged, or if the ledger has another one at its position.
   *
   * <p>Counts for what is parked of earlier ledgers that the ledger was emptied: messages of one
   * key keep their order across ledgers by it.
   *
   * @param high where the cursor stands now
   * @param isAnother whether all that this ledger does not have is of an earlier one
   */
  default void supersede(Connection transaction, CursorKey key, long high, boolean isAnother)
      throws SQLException {
    new ParkedAfterMoveBySql(this, key).supersede(transaction, high, isAnother);
  }

  /**
   * Checks that the ledger is the one that a cursor has read.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-007} if it is not
   */
  void checkRead(Connection connection, CursorKey key, long high, @Nullable KnownMessage known)
      throws SQLException;
}
