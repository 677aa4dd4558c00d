// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.monolith.orders;

import io.outledger.event.EventHandlers;
import io.outledger.examples.monolith.events.OrderPlaced;
import io.outledger.examples.monolith.events.OrderShipped;
import io.outledger.examples.monolith.events.PaymentRefused;
import io.outledger.examples.monolith.events.PaymentTaken;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.JdbcTransactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Takes orders, and follows what the other modules tell of them. */
public final class Orders {

  /** The module's table. */
  public static final String TABLE =
      "CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, cents INT NOT NULL,"
          + " state TEXT NOT NULL)";

  private final JdbcTransactions transactions;
  private final JdbcOutbox outbox;

  /** Makes it. */
  public Orders(JdbcTransactions transactions, JdbcOutbox outbox) {
    this.transactions = transactions;
    this.outbox = outbox;
  }

  /** Places an order. */
  public void place(String orderId, int cents) throws SQLException {
    transactions.run(
        connection -> {
          insert(connection, orderId, cents);
          outbox.append(connection, new OrderPlaced(orderId, cents));
        });
  }

  /** Names the events that this module follows. */
  public void handle(EventHandlers.Builder<EventContext> events) {
    events
        .on(PaymentTaken.class, (event, context) -> set("paid", event.orderId(), context))
        .on(PaymentRefused.class, (event, context) -> set("refused", event.orderId(), context))
        .on(OrderShipped.class, (event, context) -> set("shipped", event.orderId(), context));
  }

  private static void insert(Connection connection, String orderId, int cents) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders (id, cents, state) VALUES (?, ?, 'new')")) {
      insert.setString(1, orderId);
      insert.setInt(2, cents);
      insert.executeUpdate();
    }
  }

  private static void set(String state, String orderId, EventContext context) throws SQLException {
    try (PreparedStatement update =
        context.connection().prepareStatement("UPDATE orders SET state = ? WHERE id = ?")) {
      update.setString(1, state);
      update.setString(2, orderId);
      update.executeUpdate();
    }
  }
}
