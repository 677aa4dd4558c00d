// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.event.EventTypes;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;

/** What is published of the application's events. */
final class Published {

  private Published() {}

  static void events(EventTypes.Builder events, Prices prices) {
    events.register(
        OrderPlaced.class,
        type ->
            type.guard(
                    (order, context) ->
                        order.cents() < 0 ? Optional.of("a price below 0") : Optional.empty())
                .enrich(
                    (order, context) -> prices.complete(context.resource(Connection.class), order))
                .map(
                    (order, context) ->
                        List.of(
                            new OrderAccepted(order.orderId(), order.cents()),
                            context
                                .message(new StockReserved(order.orderId()))
                                .copy()
                                .key("warehouse-1")
                                .build())));
  }
}
