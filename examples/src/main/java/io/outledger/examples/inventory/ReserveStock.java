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
 * it once for each message, in the transaction that remembers the message.
 */
final class ReserveStock {

  void handle(OrderPlaced order, EventContext context) throws SQLException {
    long number = reserve(context.connection(), order);
    context
        .outbox()
        .append(new StockReserved(order.order(), order.product(), number, order.quantity()));
  }

  private static long reserve(Connection connection, OrderPlaced order) throws SQLException {
    // The primary key of stock; its row stays locked, so a product's numbers ascend with positions.
    String sql =
        """
        WITH counted AS (
          UPDATE stock SET reserved = reserved + ?, reservations = reservations + 1
           WHERE product = ? RETURNING reservations)
        INSERT INTO reservation (order_id, product, number, quantity)
        SELECT ?, ?, counted.reservations, ? FROM counted
        RETURNING number
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, order.quantity());
      statement.setString(2, order.product());
      statement.setObject(3, order.order());
      statement.setString(4, order.product());
      statement.setInt(5, order.quantity());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("there is no stock of " + order.product());
        }
        return row.getLong(1);
      }
    }
  }
}
