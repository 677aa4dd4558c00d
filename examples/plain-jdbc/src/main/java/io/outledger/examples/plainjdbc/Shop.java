// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.plainjdbc;

import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.Schema;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The application: its parts, wired by hand. */
final class Shop implements AutoCloseable {

  private final Outledger outledger;
  private final OrderDesk orders;

  Shop(DataSource database, TimeSource time) {
    outledger =
        Outledger.builder(database)
            .serializer(JacksonSerializer.create())
            .events(
                events ->
                    events.register(
                        OrderPlaced.class,
                        type ->
                            type.name("order.placed").topic("orders").key(OrderPlaced::orderId)))
            .time(time)
            .build();
    orders = new OrderDesk(database, outledger.outbox());
  }

  /** A real application would leave this to its migration tool. */
  static void createTables(DataSource database) throws SQLException {
    Schema.of(database).apply(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE IF NOT EXISTS orders (
            id TEXT PRIMARY KEY, customer TEXT NOT NULL, cents INT NOT NULL);
          CREATE TABLE IF NOT EXISTS invoice (order_id TEXT NOT NULL, cents INT NOT NULL);
          """);
    }
  }

  OrderDesk orders() {
    return orders;
  }

  /** The relay that hands orders to the invoices; to be started, or drained. */
  RelayBuilder invoicing() {
    Invoices invoices = new Invoices();
    return outledger
        .relay("invoicing")
        .handler("invoices", handler -> handler.on(OrderPlaced.class, invoices::write));
  }

  @Override
  public void close() {
    outledger.close();
  }
}
