// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.shop.Shop;
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

  // By primary key.
  private static final String BETWEEN =
      "SELECT count(*) FROM outledger_message WHERE position >= ? AND position < ?";

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
      ShopState state = shop.database().product().sql().state(open);
      count(open, state.lowest());
      waiting = state.unsettled();
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

  private void count(Connection open, long lowest) throws SQLException {
    if (lowest > countedBelow) {
      counted += count(open, countedBelow, lowest);
      countedBelow = lowest;
    }
    committed = counted + count(open, countedBelow, Long.MAX_VALUE);
  }

  private static long count(Connection open, long from, long to) throws SQLException {
    try (PreparedStatement select = open.prepareStatement(BETWEEN)) {
      select.setLong(1, from);
      select.setLong(2, to);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
