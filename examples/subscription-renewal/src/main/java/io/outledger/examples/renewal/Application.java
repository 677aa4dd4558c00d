// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.Commands.BeginSubscription;
import io.outledger.examples.renewal.Commands.RenewSubscription;
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
        until DATE NOT NULL,
        billing_day INT NOT NULL);
      CREATE TABLE IF NOT EXISTS renewal (
        id VARCHAR(60) PRIMARY KEY,
        subscription_id VARCHAR(50) NOT NULL,
        plan VARCHAR(50) NOT NULL,
        way VARCHAR(10) NOT NULL,
        months INT NOT NULL,
        state VARCHAR(10) NOT NULL);
      CREATE TABLE IF NOT EXISTS price (
        plan VARCHAR(50) PRIMARY KEY, cents INT NOT NULL, currency VARCHAR(3) NOT NULL);
      CREATE TABLE IF NOT EXISTS payment (
        renewal_id VARCHAR(60) NOT NULL,
        payer VARCHAR(50) NOT NULL,
        cents INT NOT NULL,
        currency VARCHAR(3) NOT NULL);
      CREATE TABLE IF NOT EXISTS access_granted (renewal_id VARCHAR(60) NOT NULL);
      CREATE TABLE IF NOT EXISTS letter (text VARCHAR(200));
      CREATE TABLE IF NOT EXISTS figure (name VARCHAR(50) PRIMARY KEY, amount INT NOT NULL);
      """;

  private final Outledger outledger;
  private final Subscriptions subscriptions;
  private final Mediator mediator;
  private final Fulfilment fulfilment = new Fulfilment();

  /**
   * Wires them.
   *
   * @param time tells what day it is, and when messages were made
   */
  Application(Outledger outledger, TimeSource time) {
    this.outledger = outledger;
    subscriptions = new Subscriptions(outledger.outbox(), time);
    mediator =
        new Mediator(outledger.transactions())
            .on(BeginSubscription.class, subscriptions::begin)
            .on(RenewSubscription.class, subscriptions::renew);
  }

  static Application on(DataSource database, TimeSource time) {
    Outledger outledger =
        Outledger.builder(database)
            .serializer(JacksonSerializer.create())
            .events(Contract::register)
            .time(time)
            .build();
    return new Application(outledger, time);
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

  Mediator mediator() {
    return mediator;
  }

  Prices prices() {
    return new Prices(outledger.transactions(), outledger.outbox());
  }

  /** The relay of the handlers; to be started, or drained. */
  RelayBuilder background() {
    return handlers(outledger.relay("background"));
  }

  /**
   * Adds the saga and the handlers, each retried alone. A broker would be another route, of the
   * same messages.
   */
  RelayBuilder handlers(RelayBuilder relay) {
    return relay
        .saga(fulfilment)
        .handler("payments", Payments::handle)
        .handler("access", Access::handle)
        .handler("subscriptions", subscriptions::handle)
        .handler("letters", Letters::handle);
  }

  /** Who counts renewals, on a subscription of their own. */
  Analytics analytics() {
    return new Analytics(outledger, Analytics.QUESTIONS);
  }

  @Override
  public void close() {
    outledger.close();
  }
}
