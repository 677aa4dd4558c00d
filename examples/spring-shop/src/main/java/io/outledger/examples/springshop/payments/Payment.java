// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.payments;

import io.outledger.examples.springshop.events.PaymentRefunded;
import io.outledger.examples.springshop.events.PaymentRefused;
import io.outledger.examples.springshop.events.PaymentTaken;
import io.outledger.jpa.AggregateRoot;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import org.jspecify.annotations.Nullable;

/** What is paid for an order. */
@Entity
@Table(name = "shop_payment")
public class Payment extends AggregateRoot {

  private static final int CENTS_MAX = 100_000;

  @Id private String orderId = "";
  @Version private @Nullable Integer version;
  private int cents;

  /** For JPA. */
  protected Payment() {}

  private Payment(String orderId) {
    this.orderId = orderId;
  }

  static Payment of(String orderId, int cents) {
    Payment payment = new Payment(orderId);
    if (cents > CENTS_MAX) {
      payment.raise(new PaymentRefused(orderId, "too expensive"));
    } else {
      payment.cents = cents;
      payment.raise(new PaymentTaken(orderId, cents));
    }
    return payment;
  }

  /** Undoes the payment of an order that was cancelled. */
  void refund() {
    if (cents > 0) {
      raise(new PaymentRefunded(orderId, cents));
      cents = 0;
    }
  }
}
