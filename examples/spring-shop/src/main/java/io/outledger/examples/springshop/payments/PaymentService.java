// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.payments;

import io.outledger.examples.springshop.events.PaymentRequested;
import io.outledger.examples.springshop.events.RefundRequested;
import io.outledger.spring.boot.InboxListener;
import org.springframework.stereotype.Component;

/**
 * Takes payments for orders, and gives them back. Messages of one order come in their order: none
 * is to go back before it was to be taken.
 */
@Component
class PaymentService {

  private final Payments payments;

  PaymentService(Payments payments) {
    this.payments = payments;
  }

  // An order of 0 cents stands for a bank that never answers: the time-out ends it.
  @InboxListener("payments")
  void pay(PaymentRequested order) {
    if (order.cents() > 0) {
      payments.save(Payment.of(order.orderId(), order.cents()));
    }
  }

  @InboxListener("payments")
  void giveBack(RefundRequested order) {
    payments.findById(order.orderId()).ifPresent(Payment::refund);
  }
}
