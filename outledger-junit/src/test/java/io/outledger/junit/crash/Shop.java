// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import io.outledger.inbox.Received;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A small application: orders are placed, published, reserved by a consumer, and mailed. */
class Shop implements AutoCloseable {

  record OrderPlaced(String orderId) {}

  final CrashingProcess process;
  final DataSource database;
  final Outledger outledger;

  Shop(CrashingProcess process, DataSource database) {
    this.process = process;
    this.database = process.dataSource(database);
    this.outledger =
        Outledger.builder(this.database)
            .serializer(JacksonSerializer.create())
            .events(
                events ->
                    events.register(
                        OrderPlaced.class,
                        type ->
                            type.name("order.placed").topic("orders").key(OrderPlaced::orderId)))
            .time(process.clock())
            .withoutRetention()
            .build();
  }

  static void createTables(DataSource database) {
    Schema.of(database).apply(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id TEXT NOT NULL)");
      statement.execute("CREATE TABLE reservation (id TEXT NOT NULL)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static List<String> observe(DataSource database) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT 'order ' || id FROM orders UNION ALL SELECT 'reserved ' || id FROM"
                    + " reservation")) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return lines;
  }

  void place(String orderId) throws SQLException {
    outledger
        .transactions()
        .run(
            connection -> {
              insert(connection, "orders", orderId);
              outledger.outbox().append(connection, new OrderPlaced(orderId));
            });
  }

  void settle() throws Exception {
    publish();
    sendMails();
    consume();
  }

  void publish() throws InterruptedException {
    process.drain(outledger.relay("broker").to(process.broker()));
  }

  void sendMails() throws InterruptedException {
    process.drain(
        outledger
            .relay("handlers")
            .handler(
                "mail", h -> h.on(OrderPlaced.class, (order, context) -> mail(order.orderId()))));
  }

  void consume() throws Exception {
    process.consume("inventory", outledger.inbox("inventory").handler(this::reserve));
  }

  void mail(String orderId) {
    process.repeatableEffect("mail for " + orderId);
  }

  void reserve(Connection connection, Received received) throws SQLException {
    insert(connection, "reservation", String.valueOf(received.key()));
  }

  static void insert(Connection connection, String table, String id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO " + table + " (id) VALUES (?)")) {
      statement.setString(1, id);
      statement.executeUpdate();
    }
  }

  @Override
  public void close() {
    outledger.close();
  }
}
