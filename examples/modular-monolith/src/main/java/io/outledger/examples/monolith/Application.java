// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.monolith;

import io.outledger.examples.monolith.events.Contract;
import io.outledger.examples.monolith.orders.Orders;
import io.outledger.examples.monolith.payments.Payments;
import io.outledger.examples.monolith.shipping.Shipping;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.Schema;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The application: three modules, and the relay that carries what they tell one another. */
final class Application implements AutoCloseable {

  private final Outledger outledger;
  private final Orders orders;
  private final Payments payments = new Payments();
  private final Shipping shipping = new Shipping();

  Application(DataSource database, TimeSource time) {
    outledger =
        Outledger.builder(database)
            .serializer(JacksonSerializer.create())
            .events(Contract::register)
            .time(time)
            .build();
    orders = new Orders(outledger.transactions(), outledger.outbox());
  }

  /** A real application would leave this to its migration tool. */
  static void createTables(DataSource database) throws SQLException {
    Schema.of(database).apply(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(Orders.TABLE);
      statement.execute(Payments.TABLE);
      statement.execute(Shipping.TABLE);
    }
  }

  Orders orders() {
    return orders;
  }

  /** One subscription, with a handler for each module: each is retried alone. */
  RelayBuilder modules() {
    return outledger
        .relay("modules")
        .handler("orders", orders::handle)
        .handler("payments", payments::handle)
        .handler("shipping", shipping::handle);
  }

  @Override
  public void close() {
    outledger.close();
  }
}
