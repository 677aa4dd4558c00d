// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.orders;

import io.outledger.examples.springshop.events.ParcelRefused;
import io.outledger.examples.springshop.events.ParcelShipped;
import io.outledger.examples.springshop.events.PaymentRefused;
import io.outledger.examples.springshop.events.PaymentTaken;
import io.outledger.spring.boot.InboxListener;
import org.springframework.stereotype.Component;

/**
 * Takes each order to its next step when another service has done its part. A step takes effect
 * once, however often Kafka delivers its message, and one that fails waits with its order.
 */
@Component
class OrderSaga {

  private final Orders orders;

  OrderSaga(Orders orders) {
    this.orders = orders;
  }

  @InboxListener("orders")
  void onPaid(PaymentTaken payment) {
    order(payment.orderId()).paid();
  }

  @InboxListener("orders")
  void onUnpaid(PaymentRefused payment) {
    order(payment.orderId()).cancel(payment.reason());
  }

  @InboxListener("orders")
  void onShipped(ParcelShipped parcel) {
    order(parcel.orderId()).shipped();
  }

  @InboxListener("orders")
  void onReturned(ParcelRefused parcel) {
    order(parcel.orderId()).cancel(parcel.reason());
  }

  private Order order(String id) {
    return orders.findById(id).orElseThrow();
  }
}
