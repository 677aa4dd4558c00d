// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import io.outledger.chaos.saga.OrderEvents.ParcelRefused;
import io.outledger.chaos.saga.OrderEvents.ParcelShipped;
import io.outledger.chaos.saga.OrderEvents.PaymentRefunded;
import io.outledger.chaos.saga.OrderEvents.PaymentRefused;
import io.outledger.chaos.saga.OrderEvents.PaymentTaken;
import io.outledger.chaos.saga.OrderEvents.RefundPayment;
import io.outledger.chaos.saga.OrderEvents.ReserveStock;
import io.outledger.chaos.saga.OrderEvents.ShipParcel;
import io.outledger.chaos.saga.OrderEvents.StockReserved;
import io.outledger.chaos.saga.OrderEvents.TakePayment;
import io.outledger.event.EventHandlers;
import io.outledger.jdbc.EventContext;

/** Stock, bank and carrier: they do what the saga asks, and answer as the order's fate says. */
final class OrderServices {

  private OrderServices() {}

  static void handlers(EventHandlers.Builder<EventContext> handlers) {
    handlers
        .on(ReserveStock.class, (ask, context) -> answer(context, new StockReserved(ask.text())))
        .on(TakePayment.class, OrderServices::pay)
        .on(ShipParcel.class, OrderServices::ship)
        .on(
            RefundPayment.class,
            (ask, context) -> answer(context, new PaymentRefunded(ask.text())));
  }

  private static void pay(TakePayment ask, EventContext context) {
    switch (Fate.of(ask.text())) {
      case REFUSED -> answer(context, new PaymentRefused(ask.text()));
      case SILENT -> {}
      case COMPLETED, RETURNED, RACING, WAITING -> answer(context, new PaymentTaken(ask.text()));
    }
  }

  private static void ship(ShipParcel ask, EventContext context) {
    boolean isRefused = Fate.of(ask.text()) == Fate.RETURNED;
    answer(context, isRefused ? new ParcelRefused(ask.text()) : new ParcelShipped(ask.text()));
  }

  private static void answer(EventContext context, Object event) {
    context.outbox().append(event);
  }
}
