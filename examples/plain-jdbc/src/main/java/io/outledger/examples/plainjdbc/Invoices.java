// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.plainjdbc;

import io.outledger.jdbc.EventContext;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Writes an invoice for each order, once, in the transaction of the handler. */
final class Invoices {

  void write(OrderPlaced order, EventContext context) throws SQLException {
    try (PreparedStatement insert =
        context
            .connection()
            .prepareStatement("INSERT INTO invoice (order_id, cents) VALUES (?, ?)")) {
      insert.setString(1, order.orderId());
      insert.setInt(2, order.cents());
      insert.executeUpdate();
    }
  }
}
