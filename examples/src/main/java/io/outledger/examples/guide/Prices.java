// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** What orders cost, in a table of the application. */
final class Prices {

  OrderPlaced complete(Connection connection, OrderPlaced order) throws SQLException {
    // The primary key.
    String sql = "SELECT cents FROM price WHERE order_id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, order.orderId());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? new OrderPlaced(order.orderId(), row.getInt(1)) : order;
      }
    }
  }
}
