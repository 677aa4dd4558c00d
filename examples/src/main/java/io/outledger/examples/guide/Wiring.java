// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.event.EventTypes;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import javax.sql.DataSource;

/** How the parts of the guide's application come together. */
final class Wiring {

  private Wiring() {}

  static void events(EventTypes.Builder events) {
    events
        .register(
            OrderPlaced.class,
            type -> type.name("order.placed").topic("orders").key(OrderPlaced::orderId))
        .register(
            StockReserved.class,
            type -> type.name("stock.reserved").topic("stock").key(StockReserved::orderId));
  }

  static Outledger outledger(DataSource dataSource) {
    return Outledger.builder(dataSource)
        .events(Wiring::events)
        .serializer(JacksonSerializer.create())
        .build();
  }

  static void placeOneOrder(Outledger outledger) {
    var orders = new OrderService(outledger.outbox().boundTo(outledger.transactions()));
    outledger.transactions().run(connection -> orders.place("o-1", 1990));
  }
}
