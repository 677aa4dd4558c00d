// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import io.outledger.chaos.saga.OrderEvents.NobodyAtHome;
import io.outledger.chaos.saga.OrderEvents.Order;
import io.outledger.chaos.saga.OrderEvents.OrderCompleted;
import io.outledger.chaos.saga.OrderEvents.OrderPlaced;
import io.outledger.chaos.saga.OrderEvents.ParcelRefused;
import io.outledger.chaos.saga.OrderEvents.ParcelShipped;
import io.outledger.chaos.saga.OrderEvents.PaymentMissing;
import io.outledger.chaos.saga.OrderEvents.PaymentRefunded;
import io.outledger.chaos.saga.OrderEvents.PaymentRefused;
import io.outledger.chaos.saga.OrderEvents.PaymentTaken;
import io.outledger.chaos.saga.OrderEvents.RefundPayment;
import io.outledger.chaos.saga.OrderEvents.ReleaseStock;
import io.outledger.chaos.saga.OrderEvents.ReserveStock;
import io.outledger.chaos.saga.OrderEvents.ShipParcel;
import io.outledger.chaos.saga.OrderEvents.StockReserved;
import io.outledger.chaos.saga.OrderEvents.TakePayment;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaContext;
import io.outledger.saga.SagaStep;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** An order, from its placing to its end. Each step leaves a row in {@code saga_effect}. */
final class OrderSaga implements Saga<Order> {

  static final String NAME = "order";

  /** How far an order has come that waits to be delivered. */
  static final String DELIVERING = "delivering";

  private static final Duration DELIVERY = Duration.ofDays(30);

  @Override
  public void define(SagaBuilder<Order> saga) {
    saga.name(NAME)
        .state(Order.class, t -> t.name("order.state"))
        .startedBy(OrderPlaced.class, OrderPlaced::text, this::reserve)
        .on(StockReserved.class, StockReserved::text, this::charge)
        .on(PaymentTaken.class, PaymentTaken::text, this::ship)
        .on(PaymentRefused.class, PaymentRefused::text, (event, step) -> undo("refused", step))
        .on(ParcelShipped.class, ParcelShipped::text, this::deliver)
        .on(ParcelRefused.class, ParcelRefused::text, (event, step) -> undo("returned", step))
        .on(PaymentRefunded.class, PaymentRefunded::text, (event, step) -> undo("refunded", step))
        .onTimeout(PaymentMissing.class, (event, step) -> undo("lapsed", step))
        .onTimeout(NobodyAtHome.class, (event, step) -> undo("not delivered", step))
        .onMissing(PaymentTaken.class, this::payBack)
        .compensation("payment", this::refund, PaymentRefunded.class)
        .compensation("stock", step -> step.append(new ReleaseStock(step.key())));
  }

  private void reserve(OrderPlaced event, SagaStep<Order> step) throws SQLException {
    effect("placed", step);
    step.become(new Order("reserving"));
    step.append(new ReserveStock(step.key()));
  }

  private void charge(StockReserved event, SagaStep<Order> step) throws SQLException {
    effect("reserved", step);
    step.done("stock");
    step.become(new Order("paying"));
    step.append(new TakePayment(step.key()));
    step.timeoutAfter("payment", Fate.of(step.key()).patience(), new PaymentMissing(step.key()));
    step.waitFor("the payment");
  }

  private void ship(PaymentTaken event, SagaStep<Order> step) throws SQLException {
    effect("paid", step);
    step.cancelTimeout("payment");
    step.done("payment");
    step.become(new Order("shipping"));
    step.append(new ShipParcel(step.key()));
  }

  private void deliver(ParcelShipped event, SagaStep<Order> step) throws SQLException {
    effect("shipped", step);
    if (Fate.of(step.key()) == Fate.WAITING) {
      step.become(new Order(DELIVERING));
      step.timeoutAfter("delivery", DELIVERY, new NobodyAtHome(step.key()));
      step.waitFor("the delivery");
    } else {
      step.append(new OrderCompleted(step.key()));
      step.end();
    }
  }

  private void undo(String why, SagaStep<Order> step) throws Exception {
    effect(why, step);
    step.cancelTimeout("payment");
    step.compensate();
  }

  private void refund(SagaStep<Order> step) {
    step.append(new RefundPayment(step.key()));
    step.waitFor("the refund");
  }

  /** The money came after the time-out. */
  private void payBack(PaymentTaken event, SagaContext context) throws SQLException {
    effect("paid too late", context);
    context.append(new RefundPayment(context.key()));
  }

  private static void effect(String what, SagaContext context) throws SQLException {
    try (PreparedStatement statement =
        context
            .resource(Connection.class)
            .prepareStatement("INSERT INTO saga_effect (saga_key, what) VALUES (?, ?)")) {
      statement.setString(1, context.key());
      statement.setString(2, what);
      statement.executeUpdate();
    }
  }
}
