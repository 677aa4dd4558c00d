// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.monolith.shipping;

import io.outledger.event.EventHandlers;
import io.outledger.examples.monolith.events.OrderShipped;
import io.outledger.examples.monolith.events.PaymentTaken;
import io.outledger.jdbc.EventContext;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Ships each order that is paid. */
public final class Shipping {

  /** The module's table. */
  public static final String TABLE = "CREATE TABLE IF NOT EXISTS shipment (order_id TEXT NOT NULL)";

  /** Makes it. */
  public Shipping() {}

  /** Names the events that this module follows. */
  public void handle(EventHandlers.Builder<EventContext> events) {
    events.on(PaymentTaken.class, Shipping::ship);
  }

  private static void ship(PaymentTaken payment, EventContext context) throws SQLException {
    try (PreparedStatement insert =
        context.connection().prepareStatement("INSERT INTO shipment (order_id) VALUES (?)")) {
      insert.setString(1, payment.orderId());
      insert.executeUpdate();
    }
    context.outbox().append(new OrderShipped(payment.orderId()));
  }
}
