// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The business of the applications that are measured: one row of an order. */
final class PlacedOrder implements Business {

  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS placed_order (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        customer text NOT NULL,
        cents bigint NOT NULL,
        placed_at timestamptz NOT NULL DEFAULT now())\
      """;

  private static final String INSERT = "INSERT INTO placed_order (customer, cents) VALUES (?, ?)";

  static PlacedOrder in(DataSource dataSource) throws SQLException {
    Sql.run(dataSource, TABLE);
    return new PlacedOrder();
  }

  @Override
  public void run(Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, "customer-of-this-order");
      insert.setLong(2, 4_711);
      insert.executeUpdate();
    }
  }
}
