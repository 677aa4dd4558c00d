// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.KeyLocks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Locks keys by advisory locks of the transaction, on a hash of schema and key: no table, nothing
 * to clean up, and no right beyond connecting.
 */
final class AdvisoryLocks implements KeyLocks {

  // Materialised and sorted first, so that the locks are taken in the order of their numbers. The
  // seed keeps them apart from locks that the application takes on the same text.
  private static final String LOCK =
      """
      WITH wanted AS MATERIALIZED (
        SELECT DISTINCT hashtextextended('{schema}.' || key, 8247612) AS lock
        FROM unnest(?::text[]) AS key ORDER BY lock)
      SELECT count(pg_advisory_xact_lock(lock)) FROM wanted\
      """;

  private final String lock;

  AdvisoryLocks(Tables tables) {
    this.lock = tables.in(LOCK);
  }

  @Override
  public void lock(Connection transaction, List<String> keys) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(lock)) {
      statement.setArray(1, transaction.createArrayOf("text", keys.toArray()));
      statement.execute();
    }
  }
}
