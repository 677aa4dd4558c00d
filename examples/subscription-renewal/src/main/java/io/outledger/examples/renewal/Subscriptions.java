// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.event.EventHandlers;
import io.outledger.examples.renewal.Messages.PaymentRefused;
import io.outledger.examples.renewal.Messages.PaymentTaken;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.JdbcTransactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The application's service: it holds the transaction, and appends what the aggregate says. */
final class Subscriptions {

  private final JdbcTransactions transactions;
  private final JdbcOutbox outbox;

  Subscriptions(JdbcTransactions transactions, JdbcOutbox outbox) {
    this.transactions = transactions;
    this.outbox = outbox;
  }

  void begin(String id, String plan) throws SQLException {
    transactions.run(
        connection ->
            Sql.update(
                connection,
                "INSERT INTO subscription (id, plan, months, paid) VALUES (?, ?, 0, '-')",
                id,
                plan));
  }

  void renew(String id, int months) throws SQLException {
    transactions.run(
        connection -> {
          Subscription subscription = lock(connection, id);
          Object event = subscription.renew(months);
          save(connection, subscription);
          outbox.append(connection, event); // last: the order of a key is that of its locks
        });
  }

  /** Follows the answers to the command. A sender that gets none asks the receiver, or gives up. */
  static void handle(EventHandlers.Builder<EventContext> events) {
    events
        .on(PaymentTaken.class, (paid, context) -> set("yes", paid.subscriptionId(), context))
        .on(PaymentRefused.class, Subscriptions::end);
  }

  private static void end(PaymentRefused refused, EventContext context) throws SQLException {
    Subscription subscription = lock(context.connection(), refused.subscriptionId());
    Object event = subscription.end();
    save(context.connection(), subscription);
    set("no", subscription.id(), context);
    context.outbox().append(event);
  }

  private static Subscription lock(Connection connection, String id) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT plan, months FROM subscription WHERE id = ? FOR UPDATE")) {
      select.setString(1, id);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("there is no subscription " + id);
        }
        return new Subscription(id, row.getString(1), row.getInt(2));
      }
    }
  }

  private static void save(Connection connection, Subscription subscription) throws SQLException {
    Sql.update(
        connection,
        "UPDATE subscription SET months = ? WHERE id = ?",
        subscription.months(),
        subscription.id());
  }

  private static void set(String paid, String id, EventContext context) throws SQLException {
    Sql.update(context.connection(), "UPDATE subscription SET paid = ? WHERE id = ?", paid, id);
  }
}
