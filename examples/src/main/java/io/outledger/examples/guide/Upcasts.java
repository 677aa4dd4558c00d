// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.jdbc.Admin;
import javax.sql.DataSource;

/** Older versions of payloads are read as today's class. */
final class Upcasts {

  private Upcasts() {}

  record OrderPriced(String orderId, int cents, String currency) {}

  record OrderMoved(String orderId, String address) {}

  record OrderGifted(String orderId, String giver) {}

  static void register(EventTypes.Builder events) {
    events.register(
        OrderPriced.class,
        type ->
            type.name("order.priced")
                .version(3)
                .topic("orders")
                .key(OrderPriced::orderId)
                .upcast(1, 2, ObjectNode.class, json -> json.set("cents", json.remove("amount")))
                .upcast(2, 3, ObjectNode.class, json -> json.put("currency", "EUR")));
  }

  static void split(EventTypes.Builder events) {
    events
        .register(
            OrderMoved.class,
            type ->
                type.name("order.moved")
                    .topic("orders")
                    .key(OrderMoved::orderId)
                    .splitFrom(
                        "order.changed",
                        1,
                        1,
                        ObjectNode.class,
                        json -> json.has("address") ? json : null))
        .register(
            OrderGifted.class,
            type ->
                type.name("order.gifted")
                    .topic("orders")
                    .key(OrderGifted::orderId)
                    .splitFrom(
                        "order.changed",
                        1,
                        1,
                        ObjectNode.class,
                        json -> json.has("giver") ? json : null));
  }

  static void gate(DataSource dataSource, Events events) {
    Admin.of(dataSource, "app").storedTypes(events, new RenewalSaga()).requireRead();
  }
}
