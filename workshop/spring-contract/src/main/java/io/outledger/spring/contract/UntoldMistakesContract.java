// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.jdbc.Outledger;
import io.outledger.servers.Await;
import io.outledger.spring.Inboxed;
import io.outledger.spring.boot.OutboxHandler;
import io.outledger.spring.contract.shop.OrderPlaced;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Mistakes of which nothing else would tell: each is told, or has no effect. */
public abstract class UntoldMistakesContract {

  private static final String ALWAYS = "outledger.schema-initialization=always";
  private static final Duration SOON = Duration.ofSeconds(20);

  /** Creates it. */
  protected UntoldMistakesContract() {}

  /** What handles orders, as the bean's declared type has it. */
  interface Sender {

    /** Sends. */
    void send(OrderPlaced order);

    /** Returns what was sent. */
    List<String> sent();
  }

  static class MailSender implements Sender {

    private final List<String> sent = new CopyOnWriteArrayList<>();

    @OutboxHandler("mail")
    @Override
    public void send(OrderPlaced order) {
      sent.add(order.orderId());
    }

    @Override
    public List<String> sent() {
      return sent;
    }
  }

  /** A bean whose declared type is an interface. */
  @Configuration(proxyBeanMethods = false)
  static class BehindAnInterface {

    @Bean
    Sender sender() {
      return new MailSender();
    }
  }

  @Test
  void aHandlerBehindAnInterfaceIsFound() {
    handles();
  }

  @Test
  void aHandlerBehindAnInterfaceIsFoundWhereBeansAreMadeLate() {
    handles("spring.main.lazy-initialization=true");
  }

  private static void handles(String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add(ALWAYS);
    try (RunningShop shop =
        RunningShop.start(
            List.of(RecordingConfiguration.class, BehindAnInterface.class),
            all.toArray(String[]::new))) {
      append(shop, "transactionManager", new OrderPlaced("o-1", 1));
      Await.until(
          "the order is handled",
          SOON,
          () -> shop.bean(Sender.class).sent().equals(List.of("o-1")));
    }
  }

  @Test
  void aMessageOfAnUnregisteredTypeIsCountedWhereHandlersPassItOver() {
    try (RunningShop shop = RunningShop.start(List.of(HandlerConfiguration.class), ALWAYS)) {
      append(shop, "transactionManager", Message.to("orders", "order.renamed").key("o-1").build());
      append(shop, "transactionManager", new OrderPlaced("o-2", 1));
      Await.until(
          "the mail of o-2 is queued",
          SOON,
          () ->
              shop.bean(JdbcClient.class)
                      .sql("SELECT count(*) FROM mails WHERE order_id = 'o-2'")
                      .query(Integer.class)
                      .single()
                  == 1);
      assertThat(shop.bean(Outledger.class).passedOver())
          .isEqualTo(
              Map.of(
                  "handlers/audit: order.renamed v1", 1L, "handlers/mail: order.renamed v1", 1L));
    }
  }

  /** Bills in another database, in transactions of that one. */
  static class Bills {

    @Transactional // the primary manager's: billing
    @OutboxHandler("bill")
    public void bill(OrderPlaced order) {}

    @Transactional("billingTransactionManager")
    @Inboxed(consumer = "billing", source = "api", id = "#p0")
    public void take(String id) {}
  }

  /** As the ledger has it. */
  @Transactional(TwoDatabases.LEDGERS_MANAGER)
  static class Orders {

    @OutboxHandler("order")
    public void order(OrderPlaced order) {}

    @Inboxed(consumer = "orders", source = "api", id = "#p0")
    public void take(String id) {}
  }

  /** With what is as it should be. */
  @Configuration(proxyBeanMethods = false)
  static class WithOrders {

    @Bean
    Orders ordersHandler() {
      return new Orders();
    }
  }

  /** With what would take effect twice. */
  @Configuration(proxyBeanMethods = false)
  static class WithBills {

    @Bean
    Bills bills() {
      return new Bills();
    }
  }

  @Test
  void aMethodInATransactionOfAnotherDataSourceStopsTheStart() {
    assertThat(
            PrintedStart.of(
                List.of(TwoDatabases.class, WithOrders.class, WithBills.class),
                ALWAYS,
                TwoDatabases.LEDGER))
        .contains(
            "Bills.take is @Transactional with billingTransactionManager, and its message is"
                + " remembered in a transaction of ordersTransactionManager")
        .doesNotContain("Orders.take");
  }

  /** Where AspectJ weaves transactions into classes, and Spring has no interceptor. */
  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(mode = AdviceMode.ASPECTJ)
  static class Woven {}

  @Test
  void aMethodInAWovenTransactionOfAnotherDataSourceStopsTheStart() {
    assertThat(
            PrintedStart.of(
                List.of(TwoDatabases.class, WithOrders.class, WithBills.class, Woven.class),
                ALWAYS,
                TwoDatabases.LEDGER))
        .contains("Bills.take is @Transactional with billingTransactionManager")
        .doesNotContain("Orders.take");
  }

  /** A handler alone: relays start after everything else. */
  @Configuration(proxyBeanMethods = false)
  static class WithOneHandler {

    static class Bill {

      @Transactional
      @OutboxHandler("bill")
      public void bill(OrderPlaced order) {}
    }

    @Bean
    Bill bill() {
      return new Bill();
    }
  }

  @Test
  void aHandlerInATransactionOfAnotherDataSourceStopsTheStart() {
    assertThat(
            PrintedStart.of(
                List.of(TwoDatabases.class, WithOrders.class, WithOneHandler.class),
                ALWAYS,
                TwoDatabases.LEDGER))
        .contains("Bill.bill is @Transactional with billingTransactionManager")
        .doesNotContain("Orders.order");
  }

  @Test
  void methodsInTransactionsOfTheLedgersDataSourceStopNothing() {
    try (RunningShop shop =
        RunningShop.start(
            List.of(TwoDatabases.class, WithOrders.class), ALWAYS, TwoDatabases.LEDGER)) {
      assertThat(shop.context().isRunning()).isTrue();
    }
  }

  /** A consumer without a name: its messages would fail one by one. */
  @Configuration(proxyBeanMethods = false)
  static class Nameless {

    @Inboxed(consumer = "", source = "api", id = "#p0")
    public void pay(String id) {}
  }

  @Test
  void anInboxedMethodWhoseConsumerHasNoNameStopsTheStart() {
    assertThat(PrintedStart.of(List.of(RecordingConfiguration.class, Nameless.class), ALWAYS))
        .contains("Nameless.pay", "name of the consumer");
  }

  /** A context of its own, below that of the shop. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Below {

    @OutboxHandler("below")
    public void on(OrderPlaced order) {}
  }

  /** The same without a handler. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class BelowWithoutHandlers {}

  @Test
  void aHandlerOfAChildContextStopsTheStart() {
    List<Class<?>> shop = List.of(RecordingConfiguration.class);
    assertThat(PrintedStart.of(() -> RunningShop.withChild(shop, Below.class, ALWAYS)))
        .contains("@OutboxHandler of", "Below.on belongs to a child context");
    try (RunningShop child = RunningShop.withChild(shop, BelowWithoutHandlers.class, ALWAYS)) {
      assertThat(child.context().isRunning()).isTrue();
    }
  }

  private static void append(RunningShop shop, String manager, Object event) {
    new TransactionTemplate(shop.context().getBean(manager, PlatformTransactionManager.class))
        .executeWithoutResult(status -> shop.bean(Outbox.class).append(event));
  }
}
