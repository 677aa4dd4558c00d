// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.inventory;

import io.outledger.examples.contract.OrderPlaced;
import io.outledger.examples.contract.StockReserved;
import io.outledger.jdbc.EventContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Reserves stock for an order. It adds to a sum, so doing it twice would be wrong: the inbox calls
 * it once for each message, in the transaction that remembers the message. Its SQL is what every
 * database understands.
 */
final class ReserveStock {

  void handle(OrderPlaced order, EventContext context) throws SQLException {
    long number = count(context.connection(), order);
    insert(context.connection(), order, number);
    context
        .outbox()
        .append(new StockReserved(order.order(), order.product(), number, order.quantity()));
  }

  /** Adds to the sum, and returns which reservation of the product this is. */
  private static long count(Connection connection, OrderPlaced order) throws SQLException {
    // The primary key. The row stays locked, so a product's numbers ascend with positions.
    String add =
        """
        UPDATE stock SET reserved = reserved + ?, reservations = reservations + 1
         WHERE product = ?
        """;
    String read = "SELECT reservations FROM stock WHERE product = ?";
    try (PreparedStatement adding = connection.prepareStatement(add);
        PreparedStatement reading = connection.prepareStatement(read)) {
      adding.setInt(1, order.quantity());
      adding.setString(2, order.product());
      if (adding.executeUpdate() == 0) {
        throw new IllegalStateException("there is no stock of " + order.product());
      }
      reading.setString(1, order.product());
      try (ResultSet row = reading.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static void insert(Connection connection, OrderPlaced order, long number)
      throws SQLException {
    String sql =
        "INSERT INTO reservation (order_id, product, number, quantity) VALUES (?, ?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, order.order().toString());
      statement.setString(2, order.product());
      statement.setLong(3, number);
      statement.setInt(4, order.quantity());
      statement.executeUpdate();
    }
  }
}
