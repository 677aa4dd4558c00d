// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** What is in stock, in a table of the application. */
final class Stock {

  void reserve(Connection connection, OrderPlaced order) throws SQLException {
    // The primary key.
    String sql = "INSERT INTO reservation (order_id) VALUES (?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, order.orderId());
      statement.executeUpdate();
    }
  }
}
