// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.KeyLocks;
import io.outledger.jdbc.spi.MissingRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Locks keys by locking rows of a table that is made for it: a key has the row of its hash. Whoever
 * waits longer than the database's lock time-out fails. Thread-safe.
 */
public final class KeyRowsBySql implements KeyLocks {

  /** As many as a schema inserts. */
  public static final int SLOTS = 64;

  // By the primary key.
  private static final String LOCK =
      "SELECT slot FROM {schema}.outledger_key_lock WHERE slot = ? FOR UPDATE";

  private final LedgerTables tables;

  /** Creates it, without I/O. */
  public KeyRowsBySql(LedgerTables tables) {
    this.tables = tables;
  }

  /** One row after the other, in order: no database promises one for the locks of a statement. */
  @Override
  public void lock(Connection transaction, List<String> keys) throws SQLException {
    int[] slots =
        keys.stream()
            .mapToInt(key -> Math.floorMod(key.hashCode(), SLOTS))
            .sorted()
            .distinct()
            .toArray();
    for (int slot : slots) {
      if (Sql.in(tables, transaction, LOCK, slot).first(row -> row.getInt(1)).isEmpty()) {
        throw MissingRow.of("outledger_key_lock");
      }
    }
  }
}
