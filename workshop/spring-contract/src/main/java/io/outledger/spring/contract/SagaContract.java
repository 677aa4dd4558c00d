// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.SagaQuery;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaStep;
import io.outledger.servers.Await;
import io.outledger.spring.contract.shop.MailQueued;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.spring.contract.shop.OrderService;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A bean that is a saga handles messages, of the ledger or of a receiver, each step in a
 * transaction of Spring.
 */
public abstract class SagaContract {

  private static final Duration SOON = Duration.ofSeconds(60);

  /** Creates it. */
  protected SagaContract() {}

  /** The state. */
  record Invoice(int cents) {}

  /** An order is audited, and again when its time-out comes; one that costs nothing fails. */
  static final class Invoicing implements Saga<Invoice> {

    private final JdbcClient jdbc;

    Invoicing(JdbcClient jdbc) {
      this.jdbc = jdbc;
    }

    @Override
    public void define(SagaBuilder<Invoice> saga) {
      saga.name("invoicing")
          .state(Invoice.class, t -> t.name("invoice"))
          .startedBy(OrderPlaced.class, OrderPlaced::orderId, this::begin)
          .onTimeout(MailQueued.class, this::end);
    }

    private void begin(OrderPlaced order, SagaStep<Invoice> step) {
      step.become(new Invoice(order.cents()));
      step.timeoutAfter("mail", Duration.ofMillis(1), new MailQueued(order.orderId()));
      audit("begun " + step.key());
      if (order.cents() == 0) {
        throw new IllegalStateException("an order that costs nothing");
      }
    }

    private void end(MailQueued mail, SagaStep<Invoice> step) {
      audit("ended " + step.key() + " of " + step.state().cents());
      step.end();
    }

    private void audit(String what) {
      jdbc.sql("INSERT INTO audits (order_id) VALUES (?)").param(what).update();
    }
  }

  /** Its saga. */
  @Configuration(proxyBeanMethods = false)
  static class WithSaga {

    @Bean
    Invoicing invoicing(JdbcClient jdbc) {
      return new Invoicing(jdbc);
    }
  }

  @Test
  void stepsAreTransactionsOfSpring() {
    try (RunningShop shop =
        RunningShop.start(List.of(WithSaga.class), "outledger.schema-initialization=always")) {
      JdbcClient jdbc = shop.bean(JdbcClient.class);
      OrderService orders = shop.bean(OrderService.class);
      orders.place("free", 0);
      orders.place("o-1", 990);
      Await.until(
          () -> "audited: " + audits(jdbc), SOON, () -> audits(jdbc).contains("ended o-1 of 990"));
      assertThat(audits(jdbc)).containsExactly("begun o-1", "ended o-1 of 990");
      Outledger outledger = shop.bean(Outledger.class);
      assertThat(outledger.admin().sagas().list(SagaQuery.ALL).rows()).isEmpty();
      assertThat(outledger.admin().sagas().why(new SagaId("invoicing", "o-1")))
          .contains("has ended");
    }
  }

  /** Its saga, and a receiver of its name. */
  @Configuration(proxyBeanMethods = false)
  static class WithReceiver {

    @Bean
    Invoicing sagaOfInvoices(JdbcClient jdbc) {
      return new Invoicing(jdbc);
    }

    @Bean
    MemoryReceiver invoicing() {
      return new MemoryReceiver();
    }
  }

  @Test
  void messagesOfABrokerMoveItInTransactionsOfSpring() {
    try (RunningShop shop =
        RunningShop.start(List.of(WithReceiver.class), "outledger.schema-initialization=always")) {
      JdbcClient jdbc = shop.bean(JdbcClient.class);
      Outledger outledger = shop.bean(Outledger.class);
      MemoryReceiver broker = shop.bean(MemoryReceiver.class);
      shop.bean(OrderService.class).place("own", 1); // comes by the ledger, and not by the broker
      broker.send(outledger.events().message(new OrderPlaced("free", 0)));
      Message placed = outledger.events().message(new OrderPlaced("o-1", 990));
      broker.send(placed);
      broker.send(placed);
      broker.send(outledger.events().message(new MailQueued("o-1"))); // it has no effect here
      Await.until(
          () -> "audited: " + audits(jdbc), SOON, () -> audits(jdbc).contains("ended o-1 of 990"));
      Await.until("all was received", SOON, () -> broker.pending() == 0);
      assertThat(audits(jdbc)).containsExactly("begun o-1", "ended o-1 of 990");
      assertThat(outledger.admin().sagas().list(SagaQuery.ALL).rows()).isEmpty();
      assertThat(outledger.admin().parked(ParkedQuery.of(Reader.consumer("invoicing"))).rows())
          .extracting(each -> each.message().key())
          .containsExactly("free");
      assertThat(outledger.sagas().passedOver()).isEmpty();
    }
  }

  /** An order is audited, and nothing is waited for. */
  static final class Counting implements Saga<Invoice> {

    @Override
    public void define(SagaBuilder<Invoice> saga) {
      saga.name("counting")
          .state(Invoice.class, t -> t.name("count"))
          .startedBy(
              OrderPlaced.class,
              OrderPlaced::orderId,
              (order, step) -> step.become(new Invoice(order.cents())));
    }
  }

  /** A saga without time-outs, and a receiver of its name. */
  @Configuration(proxyBeanMethods = false)
  static class WithoutTimeouts {

    @Bean
    Counting sagaOfCounts() {
      return new Counting();
    }

    @Bean
    MemoryReceiver counting() {
      return new MemoryReceiver();
    }
  }

  @Test
  void sagaThatABrokerMovesAloneHasNoRelay() {
    try (RunningShop shop =
        RunningShop.start(
            List.of(WithoutTimeouts.class), "outledger.schema-initialization=always")) {
      Outledger outledger = shop.bean(Outledger.class);
      MemoryReceiver broker = shop.bean(MemoryReceiver.class);
      broker.send(outledger.events().message(new OrderPlaced("o-1", 990)));
      Await.until("all was received", SOON, () -> broker.pending() == 0);
      Await.until(
          "the saga has started",
          SOON,
          () -> outledger.admin().sagas().list(SagaQuery.ALL).rows().size() == 1);
      assertThat(outledger.admin().overview().subscriptions())
          .extracting(SubscriptionState::name)
          .doesNotContain("sagas");
    }
  }

  private static List<String> audits(JdbcClient jdbc) {
    return jdbc.sql("SELECT order_id FROM audits ORDER BY order_id").query(String.class).list();
  }
}
