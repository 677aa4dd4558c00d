// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.event.EventTypes;

/** The events of these tests. */
final class Orders {

  record OrderPlaced(String orderId, int cents) {}

  record OrderPaid(String orderId) {}

  private Orders() {}

  static void register(EventTypes.Builder events) {
    events
        .register(
            OrderPlaced.class,
            type -> type.name("order.placed").topic("orders").key(OrderPlaced::orderId))
        .register(
            OrderPaid.class,
            type -> type.name("order.paid").topic("payments").key(OrderPaid::orderId));
  }
}
