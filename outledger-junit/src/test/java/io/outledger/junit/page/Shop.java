// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import io.outledger.Outbox;
import io.outledger.event.EventTypes;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.junit.crash.CrashingProcess;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** The application under test of the page. */
final class Shop implements AutoCloseable {

  record OrderPlaced(String orderId, int cents) {}

  record OrderPaid(String orderId) {}

  /** The mail server of the tests. */
  static final class Mails {

    private final List<String> sent = new CopyOnWriteArrayList<>();
    private int failures;

    void send(OrderPlaced order) {
      if (failures > 0) {
        failures--;
        throw new IllegalStateException("the mail server is on fire");
      }
      sent.add(order.orderId());
    }

    void failNext(int mails) {
      failures = mails;
    }

    List<String> sent() {
      return sent;
    }
  }

  /** What takes orders. */
  record Orders(Outbox outbox) {

    void place(String orderId, int cents) {
      outbox.append(new OrderPlaced(orderId, cents));
    }

    void pay(String orderId) {
      outbox.append(new OrderPaid(orderId));
    }
  }

  private final CrashingProcess process;
  private final Outledger outledger;

  Shop(CrashingProcess process, DataSource database) {
    this.process = process;
    this.outledger =
        Outledger.builder(process.dataSource(database))
            .serializer(JacksonSerializer.create())
            .events(Shop::events)
            .time(process.clock())
            .build();
  }

  static void events(EventTypes.Builder events) {
    events
        .register(
            OrderPlaced.class,
            type -> type.name("order.placed").topic("orders").key(OrderPlaced::orderId))
        .register(
            OrderPaid.class,
            type -> type.name("order.paid").topic("orders").key(OrderPaid::orderId));
  }

  void place(String orderId) throws SQLException {
    outledger
        .transactions()
        .run(
            connection -> {
              insert(connection, "orders", orderId);
              outledger.outbox().append(connection, new OrderPlaced(orderId, 1990));
            });
  }

  RelayBuilder relay() {
    return outledger.relay("broker").to(process.broker());
  }

  void consume() throws Exception {
    process.consume(
        "inventory",
        outledger
            .inbox("inventory")
            .handler(
                r ->
                    r.on(
                        OrderPlaced.class,
                        (order, context) ->
                            insert(context.connection(), "reservation", order.orderId()))));
  }

  private static void insert(Connection connection, String table, String id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + table + " (id) VALUES (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  @Override
  public void close() {
    outledger.close();
  }
}
