// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.event.EventHandlers;
import io.outledger.examples.renewal.FulfilmentMessages.Payment;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentRefused;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentTaken;
import io.outledger.examples.renewal.FulfilmentMessages.RefundPayment;
import io.outledger.examples.renewal.FulfilmentMessages.TakePayment;
import io.outledger.jdbc.EventContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** The one receiver of its commands. Its answer is an event, appended with what it has done. */
final class Payments {

  private static final int CREDIT_CENTS = 10_000;

  private Payments() {}

  static void handle(EventHandlers.Builder<EventContext> commands) {
    commands.on(TakePayment.class, Payments::take).on(RefundPayment.class, Payments::refund);
  }

  /** Returns what was paid for a renewal, whether or not it went back. */
  static Optional<Payment> of(Connection connection, String renewalId) throws SQLException {
    return Sql.first(
        connection,
        "SELECT payer, cents, currency FROM payment WHERE renewal_id = ? AND cents >= 0",
        row -> new Payment(row.getString(1), row.getInt(2), row.getString(3)),
        renewalId);
  }

  private static void take(TakePayment command, EventContext context) throws SQLException {
    Payment payment = command.payment();
    if (payment.cents() > CREDIT_CENTS) {
      context.outbox().append(new PaymentRefused(command.renewalId()));
      return;
    }
    Sql.update(
        context.connection(),
        "INSERT INTO payment (renewal_id, payer, cents, currency) VALUES (?, ?, ?, ?)",
        command.renewalId(),
        payment.payer(),
        payment.cents(),
        payment.currency());
    context.outbox().append(new PaymentTaken(command.renewalId()));
  }

  private static void refund(RefundPayment command, EventContext context) throws SQLException {
    Sql.update(
        context.connection(),
        "INSERT INTO payment (renewal_id, payer, cents, currency)"
            + " SELECT renewal_id, payer, -cents, currency FROM payment p"
            + " WHERE renewal_id = ? AND cents > 0 AND NOT EXISTS"
            + " (SELECT 1 FROM payment r WHERE r.renewal_id = p.renewal_id AND r.cents < 0)",
        command.renewalId());
  }
}
