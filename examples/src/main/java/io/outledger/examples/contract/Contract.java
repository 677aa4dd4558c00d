// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.contract;

import io.outledger.event.EventTypes;

/** How the events are named, where they go, and what keeps their order. */
public final class Contract {

  /** The topic of orders. */
  public static final String ORDERS = "orders";

  /** The topic of reservations. */
  public static final String STOCK = "stock";

  private Contract() {}

  /** Registers the events. */
  public static void register(EventTypes.Builder events) {
    events
        .register(
            OrderPlaced.class,
            type -> type.name("order.placed").topic(ORDERS).key(OrderPlaced::customer))
        .register(
            StockReserved.class,
            type -> type.name("stock.reserved").topic(STOCK).key(StockReserved::product));
  }
}
