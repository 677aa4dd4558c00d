// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.monolith.payments;

import io.outledger.event.EventHandlers;
import io.outledger.examples.monolith.events.OrderPlaced;
import io.outledger.examples.monolith.events.PaymentRefused;
import io.outledger.examples.monolith.events.PaymentTaken;
import io.outledger.jdbc.EventContext;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Takes the payment for each order that is placed. */
public final class Payments {

  /** The module's table. */
  public static final String TABLE =
      "CREATE TABLE IF NOT EXISTS payment (order_id TEXT NOT NULL, cents INT NOT NULL)";

  private static final int CREDIT_CENTS = 100_000;

  /** Makes it. */
  public Payments() {}

  /** Names the events that this module follows. */
  public void handle(EventHandlers.Builder<EventContext> events) {
    events.on(OrderPlaced.class, Payments::take);
  }

  private static void take(OrderPlaced order, EventContext context) throws SQLException {
    if (order.cents() > CREDIT_CENTS) {
      context.outbox().append(new PaymentRefused(order.orderId()));
      return;
    }
    try (PreparedStatement insert =
        context
            .connection()
            .prepareStatement("INSERT INTO payment (order_id, cents) VALUES (?, ?)")) {
      insert.setString(1, order.orderId());
      insert.setInt(2, order.cents());
      insert.executeUpdate();
    }
    context.outbox().append(new PaymentTaken(order.orderId()));
  }
}
