// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.payments;

import io.outledger.examples.springshop.events.OrderCancelled;
import io.outledger.examples.springshop.events.OrderPlaced;
import io.outledger.spring.boot.InboxListener;
import org.springframework.stereotype.Component;

/**
 * Takes payments for orders, and gives them back where an order is cancelled. Messages of one order
 * come in their order: none is cancelled before it is placed.
 */
@Component
class PaymentService {

  private final Payments payments;

  PaymentService(Payments payments) {
    this.payments = payments;
  }

  // An order of 0 cents stands for a bank that never answers: the time-out ends it.
  @InboxListener("payments")
  void pay(OrderPlaced order) {
    if (order.cents() > 0) {
      payments.save(Payment.of(order.orderId(), order.cents()));
    }
  }

  @InboxListener("payments")
  void giveBack(OrderCancelled order) {
    payments.findById(order.orderId()).ifPresent(Payment::refund);
  }
}
