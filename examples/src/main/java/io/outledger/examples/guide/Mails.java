// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Mails to be sent, in a table of the application. */
final class Mails {

  void queue(Connection connection, OrderPlaced order) throws SQLException {
    // The primary key.
    String sql = "INSERT INTO mail (order_id, cents) VALUES (?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, order.orderId());
      statement.setInt(2, order.cents());
      statement.executeUpdate();
    }
  }
}
