// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.monolith.events;

import io.outledger.event.EventTypes;

/** How the events are named. The order's id is the key of all: its events stay in order. */
public final class Contract {

  private Contract() {}

  /** Registers the events. */
  public static void register(EventTypes.Builder events) {
    events
        .register(
            OrderPlaced.class,
            type -> type.name("order.placed").topic("orders").key(OrderPlaced::orderId))
        .register(
            PaymentTaken.class,
            type -> type.name("payment.taken").topic("payments").key(PaymentTaken::orderId))
        .register(
            PaymentRefused.class,
            type -> type.name("payment.refused").topic("payments").key(PaymentRefused::orderId))
        .register(
            OrderShipped.class,
            type -> type.name("order.shipped").topic("shipping").key(OrderShipped::orderId));
  }
}
