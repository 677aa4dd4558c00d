// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

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
final class Application implements AutoCloseable {

  private static final String TABLES =
      """
      CREATE TABLE IF NOT EXISTS subscription (
        id VARCHAR(50) PRIMARY KEY,
        plan VARCHAR(50) NOT NULL,
        months INT NOT NULL,
        paid VARCHAR(3));
      CREATE TABLE IF NOT EXISTS price (
        plan VARCHAR(50) PRIMARY KEY, cents INT NOT NULL, currency VARCHAR(3) NOT NULL);
      CREATE TABLE IF NOT EXISTS payment (
        subscription_id VARCHAR(50), cents INT NOT NULL, currency VARCHAR(3) NOT NULL);
      CREATE TABLE IF NOT EXISTS letter (text VARCHAR(200));
      """;

  private final Outledger outledger;

  Application(DataSource database, TimeSource time) {
    outledger =
        Outledger.builder(database)
            .serializer(JacksonSerializer.create())
            .events(Contract::register)
            .time(time)
            .build();
  }

  /** A real application would leave this to its migration tool. */
  static void createTables(DataSource database) throws SQLException {
    Schema.of(database).apply(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String table : TABLES.split(";\n", -1)) {
        if (!table.isBlank()) {
          statement.execute(table);
        }
      }
    }
  }

  Outledger outledger() {
    return outledger;
  }

  Subscriptions subscriptions() {
    return new Subscriptions(outledger.transactions(), outledger.outbox());
  }

  Prices prices() {
    return new Prices(outledger.transactions(), outledger.outbox());
  }

  /** Handlers, each retried alone. A broker would be another route, with the same messages. */
  RelayBuilder background() {
    return outledger
        .relay("background")
        .handler("payments", Payments::handle)
        .handler("subscriptions", Subscriptions::handle)
        .handler("letters", Letters::handle);
  }

  @Override
  public void close() {
    outledger.close();
  }
}
