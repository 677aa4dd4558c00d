// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.event.EventHandlers;
import io.outledger.examples.renewal.Commands.BeginSubscription;
import io.outledger.examples.renewal.Commands.BeginningOutcome;
import io.outledger.examples.renewal.Commands.RenewSubscription;
import io.outledger.examples.renewal.Commands.RenewalOutcome;
import io.outledger.examples.renewal.DomainEvents.RenewalDeclined;
import io.outledger.examples.renewal.DomainEvents.RenewalRequested;
import io.outledger.examples.renewal.DomainEvents.Terms;
import io.outledger.examples.renewal.FulfilmentMessages.Payment;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFailed;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFulfilled;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Handles the commands, and appends what the aggregate says, under the lock of its row: so its
 * events are published in the order of its changes. It knows what day it is.
 */
final class Subscriptions {

  private final JdbcOutbox outbox;
  private final TimeSource time;

  Subscriptions(JdbcOutbox outbox, TimeSource time) {
    this.outbox = outbox;
    this.time = time;
  }

  BeginningOutcome begin(Connection connection, BeginSubscription command) throws SQLException {
    if (lock(connection, command.subscriptionId()).isPresent()) {
      return new BeginningOutcome.AlreadyThere(command.subscriptionId());
    }
    LocalDate today = today();
    Sql.update(
        connection,
        "INSERT INTO subscription (id, plan, until, billing_day) VALUES (?, ?, ?, ?)",
        command.subscriptionId(),
        command.plan(),
        today,
        today.getDayOfMonth());
    return new BeginningOutcome.Begun(today);
  }

  RenewalOutcome renew(Connection connection, RenewSubscription command) throws SQLException {
    Optional<Subscription> found = lock(connection, command.subscriptionId());
    if (found.isEmpty()) {
      return new RenewalOutcome.NotFound(command.subscriptionId());
    }
    if (Renewals.isKnown(connection, command.renewalId())) {
      return new RenewalOutcome.Requested(command.renewalId()); // the caller did not hear of it
    }
    Optional<String> other = Renewals.underWay(connection, command.subscriptionId());
    if (other.isPresent()) {
      return new RenewalOutcome.UnderWay(other.get());
    }
    RenewalRequested event = found.get().request(command.renewalId(), command.renewal());
    if (Prices.of(connection, event.plan()).isEmpty()) {
      return new RenewalOutcome.NotSold(event.plan());
    }
    Renewals.add(connection, event);
    outbox.append(connection, event);
    return new RenewalOutcome.Requested(command.renewalId());
  }

  /** Follows what the saga has come to. */
  void handle(EventHandlers.Builder<EventContext> events) {
    events.on(RenewalFulfilled.class, this::renewed).on(RenewalFailed.class, this::declined);
  }

  private void renewed(RenewalFulfilled fulfilled, EventContext context) throws SQLException {
    Connection connection = context.connection();
    Optional<Subscription> found = lock(connection, fulfilled.subscriptionId());
    Optional<Terms> terms = Renewals.terms(connection, fulfilled.renewalId());
    if (found.isEmpty() || terms.isEmpty()) {
      return; // it was deleted meanwhile, and nothing is left to renew
    }
    Subscription subscription = found.get();
    Object event = subscription.renew(terms.get(), payment(connection, fulfilled), today());
    save(connection, subscription);
    Renewals.close(connection, fulfilled.renewalId(), Renewals.FULFILLED);
    context.outbox().append(event);
  }

  private static Payment payment(Connection connection, RenewalFulfilled fulfilled)
      throws SQLException {
    Payment payment = fulfilled.payment();
    String renewal = fulfilled.renewalId();
    return payment != null
        ? payment
        : Payments.of(connection, renewal)
            .orElseThrow(() -> new IllegalStateException("no payment for " + renewal));
  }

  private void declined(RenewalFailed failed, EventContext context) throws SQLException {
    Renewals.close(context.connection(), failed.renewalId(), Renewals.FAILED);
    context.outbox().append(new RenewalDeclined(failed.renewalId()));
  }

  private LocalDate today() {
    return LocalDate.ofInstant(time.now(), ZoneOffset.UTC);
  }

  private static Optional<Subscription> lock(Connection connection, String id) throws SQLException {
    return Sql.first(
        connection,
        "SELECT plan, until, billing_day FROM subscription WHERE id = ? FOR UPDATE",
        row ->
            new Subscription(
                id, row.getString(1), row.getObject(2, LocalDate.class), row.getInt(3)),
        id);
  }

  private static void save(Connection connection, Subscription subscription) throws SQLException {
    Sql.update(
        connection,
        "UPDATE subscription SET plan = ?, until = ?, billing_day = ? WHERE id = ?",
        subscription.plan(),
        subscription.until(),
        subscription.billingDay(),
        subscription.id());
  }
}
