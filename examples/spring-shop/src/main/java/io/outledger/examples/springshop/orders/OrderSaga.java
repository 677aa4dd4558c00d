// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.orders;

import io.outledger.examples.springshop.events.OrderPlaced;
import io.outledger.examples.springshop.events.ParcelRefused;
import io.outledger.examples.springshop.events.ParcelShipped;
import io.outledger.examples.springshop.events.PaymentMissing;
import io.outledger.examples.springshop.events.PaymentRefunded;
import io.outledger.examples.springshop.events.PaymentRefused;
import io.outledger.examples.springshop.events.PaymentRequested;
import io.outledger.examples.springshop.events.PaymentTaken;
import io.outledger.examples.springshop.events.RefundRequested;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaStep;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Takes each order to its end: has it paid, then shipped; or cancels it, and has the money given
 * back. Its messages come from Kafka, since a receiver has its name, and its time-out from the
 * ledger, also where Kafka brings it. What it changes of an order is in the transaction of its
 * step.
 */
@Component
class OrderSaga implements Saga<OrderSaga.Fulfilment> {

  /** Of which order the saga is, is its key. */
  record Fulfilment(int cents) {}

  private final Orders orders;
  private final Duration patience;

  OrderSaga(Orders orders, @Value("${shop.payment-timeout}") Duration patience) {
    this.orders = orders;
    this.patience = patience;
  }

  @Override
  public void define(SagaBuilder<Fulfilment> saga) {
    saga.name("fulfilment")
        .state(Fulfilment.class, t -> t.name("fulfilment.state"))
        .startedBy(OrderPlaced.class, OrderPlaced::orderId, this::charge)
        .on(PaymentTaken.class, PaymentTaken::orderId, this::ship)
        .on(PaymentRefused.class, PaymentRefused::orderId, (e, step) -> cancel(step, e.reason()))
        .onTimeout(PaymentMissing.class, this::expire)
        .on(ParcelShipped.class, ParcelShipped::orderId, this::complete)
        .on(ParcelRefused.class, ParcelRefused::orderId, (e, step) -> cancel(step, e.reason()))
        .on(PaymentRefunded.class, PaymentRefunded::orderId, (e, step) -> step.compensate())
        .compensation("payment", this::refund, PaymentRefunded.class);
  }

  private void charge(OrderPlaced order, SagaStep<Fulfilment> step) {
    if (!step.isNew()) {
      return; // asked for twice: it is under way
    }
    step.become(new Fulfilment(order.cents()));
    step.append(new PaymentRequested(order.orderId(), order.cents()));
    step.timeoutAfter("payment", patience, new PaymentMissing(order.orderId()));
    step.waitFor("the payment");
  }

  private void ship(PaymentTaken payment, SagaStep<Fulfilment> step) {
    step.cancelTimeout("payment");
    step.done("payment");
    order(step).paid(); // shipping hears of it
    step.waitFor("the parcel");
  }

  private void complete(ParcelShipped parcel, SagaStep<Fulfilment> step) {
    order(step).shipped();
    step.end();
  }

  private void cancel(SagaStep<Fulfilment> step, String reason) throws Exception {
    order(step).cancel(reason);
    step.compensate(); // and ends where nothing was paid
  }

  private void expire(PaymentMissing missing, SagaStep<Fulfilment> step) {
    order(step).cancel("not paid in time");
    step.append(new RefundRequested(step.key())); // of a payment that is on its way
    step.end();
  }

  private void refund(SagaStep<Fulfilment> step) {
    step.append(new RefundRequested(step.key()));
    step.waitFor("the refund of " + step.state().cents() + " cents");
  }

  private Order order(SagaStep<Fulfilment> step) {
    return orders.findById(step.key()).orElseThrow();
  }
}
