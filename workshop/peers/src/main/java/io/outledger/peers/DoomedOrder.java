// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * A business whose transaction fails at its COMMIT and no earlier: by then its message was written,
 * for nothing.
 */
final class DoomedOrder implements Business {

  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS doomed_order (
        id bigint CONSTRAINT order_is_placed REFERENCES placed_order
          DEFERRABLE INITIALLY DEFERRED)\
      """;

  private final Business placed;

  private DoomedOrder(Business placed) {
    this.placed = placed;
  }

  static DoomedOrder in(DataSource dataSource) throws SQLException {
    Business placed = PlacedOrder.in(dataSource);
    Sql.run(dataSource, TABLE);
    return new DoomedOrder(placed);
  }

  @Override
  public void run(Connection connection) throws SQLException {
    placed.run(connection);
    Sql.run(connection, "INSERT INTO doomed_order VALUES (-1)");
  }

  /** Has an application write a message that is lost, and sees to it that it is told so. */
  void lose(Application application) throws Exception {
    try {
      application.commit(this, List.of(NumberedMessage.LOST));
    } catch (Exception e) {
      if (isWanted(e)) {
        return;
      }
      throw e;
    }
    throw new IllegalStateException("an application takes a transaction that failed for committed");
  }

  private static boolean isWanted(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains("order_is_placed")
        || (failure.getCause() != null && isWanted(failure.getCause()));
  }
}
