// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.shipping;

import io.outledger.Outbox;
import io.outledger.examples.springshop.events.OrderPaid;
import io.outledger.examples.springshop.events.ParcelRefused;
import io.outledger.examples.springshop.events.ParcelShipped;
import io.outledger.spring.boot.InboxListener;
import org.springframework.stereotype.Component;

/** Ships what is paid. It has no entity, so it appends its events by hand. */
@Component
class ShippingService {

  private final Outbox outbox;

  ShippingService(Outbox outbox) {
    this.outbox = outbox;
  }

  @InboxListener("shipping")
  void ship(OrderPaid order) {
    if (order.address().isEmpty()) {
      outbox.append(new ParcelRefused(order.orderId(), "no address"));
    } else {
      outbox.append(new ParcelShipped(order.orderId()));
    }
  }
}
