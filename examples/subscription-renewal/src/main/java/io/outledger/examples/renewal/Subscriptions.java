// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.event.EventHandlers;
import io.outledger.examples.renewal.Commands.BeginSubscription;
import io.outledger.examples.renewal.Commands.RenewSubscription;
import io.outledger.examples.renewal.Commands.RenewalOutcome;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFailed;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFulfilled;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/** Handles the commands, and appends what the aggregate says. It knows what day it is. */
final class Subscriptions {

  private final JdbcOutbox outbox;
  private final TimeSource time;

  Subscriptions(JdbcOutbox outbox, TimeSource time) {
    this.outbox = outbox;
    this.time = time;
  }

  LocalDate begin(Connection connection, BeginSubscription command) throws SQLException {
    LocalDate today = today();
    Sql.update(
        connection,
        "INSERT INTO subscription (id, plan, until, renewals, paid) VALUES (?, ?, ?, 0, '-')",
        command.subscriptionId(),
        command.plan(),
        today);
    return today;
  }

  RenewalOutcome renew(Connection connection, RenewSubscription command) throws SQLException {
    Optional<Subscription> found = lock(connection, command.subscriptionId());
    if (found.isEmpty()) {
      return new RenewalOutcome.NotFound(command.subscriptionId());
    }
    Subscription subscription = found.get();
    Object event = subscription.renew(command.renewal(), today());
    save(connection, subscription);
    outbox.append(connection, event); // last: the order of a key is that of its locks
    return new RenewalOutcome.Renewed(subscription.until());
  }

  /** Follows what the saga has come to. */
  void handle(EventHandlers.Builder<EventContext> events) {
    events
        .on(RenewalFulfilled.class, (paid, context) -> set("yes", paid.subscriptionId(), context))
        .on(RenewalFailed.class, this::end);
  }

  private void end(RenewalFailed failed, EventContext context) throws SQLException {
    Optional<Subscription> found = lock(context.connection(), failed.subscriptionId());
    if (found.isEmpty()) {
      return; // it was deleted meanwhile, and nothing is left to end
    }
    Subscription subscription = found.get();
    Object event = subscription.end(today());
    save(context.connection(), subscription);
    set("no", subscription.id(), context);
    context.outbox().append(event);
  }

  private LocalDate today() {
    return LocalDate.ofInstant(time.now(), ZoneOffset.UTC);
  }

  private static Optional<Subscription> lock(Connection connection, String id) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT plan, until, renewals FROM subscription WHERE id = ? FOR UPDATE")) {
      select.setString(1, id);
      try (ResultSet row = select.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Subscription(
                    id, row.getString(1), row.getObject(2, LocalDate.class), row.getInt(3)))
            : Optional.empty();
      }
    }
  }

  private static void save(Connection connection, Subscription subscription) throws SQLException {
    Sql.update(
        connection,
        "UPDATE subscription SET plan = ?, until = ?, renewals = ? WHERE id = ?",
        subscription.plan(),
        subscription.until(),
        subscription.renewals(),
        subscription.id());
  }

  private static void set(String paid, String id, EventContext context) throws SQLException {
    Sql.update(context.connection(), "UPDATE subscription SET paid = ? WHERE id = ?", paid, id);
  }
}
