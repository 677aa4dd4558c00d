// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.Outbox;

/** Code of an application that knows neither connections nor a database. */
final class OrderService {

  private final Outbox outbox;

  OrderService(Outbox outbox) {
    this.outbox = outbox;
  }

  void place(String orderId, int cents) {
    // orders.insert(orderId, cents);
    outbox.append(new OrderPlaced(orderId, cents));
  }
}
