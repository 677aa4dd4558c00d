// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import io.outledger.event.EventTypes;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.junit.crash.CrashingProcess;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaStep;
import java.time.Duration;
import java.util.function.Function;
import javax.sql.DataSource;

/** Orders as a saga: they are charged, refused by the carrier, refunded, and released. */
final class SagaShop implements Saga<SagaShop.Order>, AutoCloseable {

  record Placed(String order) {}

  record Charge(String order) {}

  record Charged(String order) {}

  record Unpaid(String order) {}

  record Ship(String order) {}

  record Undeliverable(String order) {}

  record Refund(String order) {}

  record Refunded(String order) {}

  record Release(String order) {}

  record Order(String stage) {}

  private final Outledger outledger;

  SagaShop(CrashingProcess process, DataSource database) {
    outledger =
        Outledger.builder(process.dataSource(database))
            .serializer(JacksonSerializer.create())
            .events(SagaShop::events)
            .time(process.clock())
            .withoutRetention()
            .build();
  }

  private static void events(EventTypes.Builder types) {
    register(types, Placed.class, Placed::order);
    register(types, Charge.class, Charge::order);
    register(types, Charged.class, Charged::order);
    register(types, Unpaid.class, Unpaid::order);
    register(types, Ship.class, Ship::order);
    register(types, Undeliverable.class, Undeliverable::order);
    register(types, Refund.class, Refund::order);
    register(types, Refunded.class, Refunded::order);
    register(types, Release.class, Release::order);
  }

  private static <E> void register(
      EventTypes.Builder types, Class<E> type, Function<E, String> key) {
    types.register(type, t -> t.name(type.getSimpleName()).topic("orders").key(key));
  }

  @Override
  public void define(SagaBuilder<Order> saga) {
    saga.name("order")
        .state(Order.class, t -> t.name("order.state"))
        .startedBy(Placed.class, Placed::order, this::charge)
        .on(Charged.class, Charged::order, this::ship)
        .on(Undeliverable.class, Undeliverable::order, (event, step) -> step.compensate())
        .on(Refunded.class, Refunded::order, (event, step) -> step.compensate())
        .onTimeout(Unpaid.class, (event, step) -> step.compensate())
        .compensation("stock", step -> step.append(new Release(step.key())))
        .compensation("payment", this::refund, Refunded.class);
  }

  private void charge(Placed event, SagaStep<Order> step) {
    step.become(new Order("placed"));
    step.done("stock");
    step.append(new Charge(step.key()));
    step.timeoutAfter("payment", Duration.ofDays(3), new Unpaid(step.key()));
  }

  private void ship(Charged event, SagaStep<Order> step) {
    step.cancelTimeout("payment");
    step.done("payment");
    step.become(new Order("charged"));
    step.append(new Ship(step.key()));
  }

  private void refund(SagaStep<Order> step) {
    step.append(new Refund(step.key()));
    step.waitFor("the refund");
  }

  void place(String order) {
    outledger.outbox().inNewTransaction(new Placed(order));
  }

  /** The saga, and the bank and the carrier, which answer it. */
  RelayBuilder relay() {
    return outledger
        .relay("orders")
        .saga(this)
        .handler(
            "others",
            h ->
                h.on(Charge.class, (ask, to) -> to.outbox().append(new Charged(ask.order())))
                    .on(Ship.class, (ask, to) -> to.outbox().append(new Undeliverable(ask.order())))
                    .on(Refund.class, (ask, to) -> to.outbox().append(new Refunded(ask.order()))));
  }

  @Override
  public void close() {
    outledger.close();
  }
}
