// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.roles.RoleSettings;
import io.outledger.chaos.shop.Shop;
import io.outledger.chaos.shop.ShopState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * How many messages there are, counted by parts: what lies below the lowest open position never
 * changes and is counted once. For the screen alone. Used by one thread.
 */
final class Tally implements AutoCloseable {

  // Both by the primary keys of their tables: the newest cursor row, and a range of the ledger.
  private static final String SQL =
      """
      WITH c AS (
        SELECT coalesce(high, 0) AS high, open_first
          FROM outledger_cursor WHERE subscription = '%1$s'
         ORDER BY partition_no DESC, n DESC LIMIT 1),
      low AS (
        SELECT coalesce(least((SELECT min(first_position) FROM outledger_hole
                                WHERE subscription = '%1$s'),
                              open_first[1], high + 1), 1) AS first
          FROM c)
      SELECT (SELECT first FROM low),
             (SELECT count(*) FROM outledger_message, low
               WHERE position >= ? AND position < low.first),
             (SELECT count(*) FROM outledger_message, low WHERE position >= low.first)\
      """
          .formatted(RoleSettings.SUBSCRIPTION);

  private final Shop shop;
  private @Nullable Connection connection;
  private long countedBelow = 1;
  private long counted;
  private long committed;
  private long waiting;

  Tally(Shop shop) {
    this.shop = shop;
  }

  long committed() {
    return committed;
  }

  long waiting() {
    return waiting;
  }

  /** Looks, if the database answers; else the figures stand still. */
  void look() {
    try {
      Connection open = connection;
      if (open == null) {
        open = shop.connect();
        open.setNetworkTimeout(Runnable::run, 2_000);
        connection = open;
      }
      count(open);
      waiting = ShopState.of(open).unsettled();
    } catch (SQLException e) {
      close();
    }
  }

  @Override
  public void close() {
    Connection broken = connection;
    connection = null;
    if (broken != null) {
      try {
        broken.close();
      } catch (SQLException e) {
        return; // it was broken, and is given up
      }
    }
  }

  private void count(Connection open) throws SQLException {
    try (PreparedStatement select = open.prepareStatement(SQL)) {
      select.setLong(1, countedBelow);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        if (row.getLong(1) > countedBelow) {
          counted += row.getLong(2);
          countedBelow = row.getLong(1);
        }
        committed = counted + row.getLong(3);
      }
    }
  }
}
