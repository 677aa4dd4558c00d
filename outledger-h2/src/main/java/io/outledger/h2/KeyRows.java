// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.KeyLocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Locks keys by locking rows of a table that is made for it: a key has the row of its hash. Whoever
 * waits longer than H2's lock time-out fails.
 */
final class KeyRows implements KeyLocks {

  /** As many as the script inserts. */
  private static final int SLOTS = 64;

  // By the primary key.
  private static final String LOCK =
      "SELECT slot FROM {schema}.outledger_key_lock WHERE slot = ? FOR UPDATE";

  private final String lock;

  KeyRows(Tables tables) {
    this.lock = tables.in(LOCK);
  }

  /** One row after the other, in order: H2 promises no order for the locks of one statement. */
  @Override
  public void lock(Connection transaction, List<String> keys) throws SQLException {
    int[] slots =
        keys.stream()
            .mapToInt(key -> Math.floorMod(key.hashCode(), SLOTS))
            .sorted()
            .distinct()
            .toArray();
    for (int slot : slots) {
      if (Sql.of(transaction, lock, slot).first(row -> row.getInt(1)).isEmpty()) {
        throw new ConfigurationException(
            ErrorCode.SCHEMA_MISSING,
            "table outledger_key_lock has no row for slot "
                + slot
                + "; insert it: the table needs the slots 0 to "
                + (SLOTS - 1));
      }
    }
  }
}
