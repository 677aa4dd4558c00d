// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.KeyLocks;
import io.outledger.jdbc.spi.MissingRow;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Locks keys by locking rows of a table that is made for it: a key has the row of its hash. Whoever
 * waits longer than the session's lock time-out fails.
 */
final class KeyRows implements KeyLocks {

  /** As many as the script inserts. */
  static final int SLOTS = 64;

  // By the primary key.
  private static final String LOCK =
      "SELECT slot FROM {schema}.outledger_key_lock WHERE slot = ? FOR UPDATE";

  private final Tables tables;

  KeyRows(Tables tables) {
    this.tables = tables;
  }

  /** One row after the other, in order: whatever plan is chosen. */
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
