// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.event.EventTypes;

/** Two versions of one event type, while messages of the first can still arrive. */
final class Versions {

  private Versions() {}

  static void events(EventTypes.Builder events) {
    events
        .register(
            OrderPlaced.class,
            type -> type.name("order.placed").topic("orders").key(OrderPlaced::orderId))
        .register(
            OrderPlacedV2.class,
            type ->
                type.name("order.placed").version(2).topic("orders").key(OrderPlacedV2::orderId));
  }
}
