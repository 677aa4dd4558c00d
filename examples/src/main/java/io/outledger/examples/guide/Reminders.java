// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.Delivery;
import io.outledger.Outbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.CancelScheduled;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.admin.Scheduled;
import io.outledger.jdbc.admin.ScheduledQuery;
import java.time.Duration;

/** A reminder that a payment cancels. */
final class Reminders {

  private final Outbox outbox;

  Reminders(Outbox outbox) {
    this.outbox = outbox;
  }

  /**
   * It is time to remind somebody of an order that is not paid.
   *
   * @param orderId the order's id
   */
  record PaymentReminder(String orderId) {}

  void placed(String orderId) {
    outbox.append(new OrderPlaced(orderId, 1990));
    outbox.append(
        new PaymentReminder(orderId),
        Delivery.after(Duration.ofDays(3)).named("reminder-" + orderId));
  }

  void paid(String orderId) {
    // payments.insert(orderId);
    boolean isCancelled = outbox.cancel("reminder-" + orderId);
    System.out.println(isCancelled ? "nobody is reminded" : "the reminder was on its way");
  }

  static void operate(Outledger outledger) {
    for (Scheduled each : outledger.admin().scheduled(ScheduledQuery.ALL).rows()) {
      System.out.println(each.dueAt() + " " + each.name() + " " + each.message().type());
    }
    System.out.println(outledger.admin().overview().scheduled());
    outledger.requests().ask(DeliverNow.named("reminder-o-1").by("anna", "the customer asked"));
    outledger.requests().ask(CancelScheduled.named("reminder-o-2").by("anna", "paid in cash"));
  }
}
