// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.event.EventHandlers;
import io.outledger.examples.renewal.Messages.PaymentRefused;
import io.outledger.examples.renewal.Messages.PaymentTaken;
import io.outledger.examples.renewal.Messages.TakePayment;
import io.outledger.jdbc.EventContext;
import java.sql.SQLException;

/** The one receiver of the command. Its answer is an event, appended with what it has done. */
final class Payments {

  private static final int CREDIT_CENTS = 10_000;

  private Payments() {}

  static void handle(EventHandlers.Builder<EventContext> commands) {
    commands.on(TakePayment.class, Payments::take);
  }

  private static void take(TakePayment command, EventContext context) throws SQLException {
    if (command.cents() > CREDIT_CENTS) {
      context.outbox().append(new PaymentRefused(command.subscriptionId()));
      return;
    }
    Sql.update(
        context.connection(),
        "INSERT INTO payment (subscription_id, payer, cents, currency) VALUES (?, ?, ?, ?)",
        command.subscriptionId(),
        command.payer(),
        command.cents(),
        command.currency());
    context.outbox().append(new PaymentTaken(command.subscriptionId()));
  }
}
