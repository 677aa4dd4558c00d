// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Postgres;
import io.outledger.spring.Inboxed;
import io.outledger.spring.boot.OutboxEvent;
import io.outledger.spring.boot.OutboxHandler;
import io.outledger.spring.contract.shop.OrderPlaced;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A mistake stops the start, and what is printed says what to do. */
public abstract class StartUpMistakesContract {

  private static final String ALWAYS = "outledger.schema-initialization=always";

  /** Without what makes a transaction manager on Boot 3.5, and on Boot 4. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      excludeName = {
        "org.springframework.boot.autoconfigure.jdbc."
            + "DataSourceTransactionManagerAutoConfiguration",
        "org.springframework.boot.jdbc.autoconfigure."
            + "DataSourceTransactionManagerAutoConfiguration"
      })
  static class WithoutTransactions {}

  /** Creates it. */
  protected StartUpMistakesContract() {}

  /** A handler of an event that nobody has registered. */
  @Configuration(proxyBeanMethods = false)
  static class UnregisteredType {

    record Unregistered(String id) {}

    @OutboxHandler("mail")
    void on(Unregistered event) {}
  }

  /** Handlers that cannot be called. */
  @Configuration(proxyBeanMethods = false)
  static class WrongSignatures {

    @OutboxHandler("one")
    void twoEvents(OrderPlaced order, String other) {}

    @OutboxHandler("two")
    void nothing() {}

    @OutboxHandler("")
    void nameless(OrderPlaced order) {}
  }

  /** Handlers whose work is not done when they return. */
  @Configuration(proxyBeanMethods = false)
  static class LateHandlers {

    @OutboxHandler("one")
    CompletableFuture<String> later(OrderPlaced order) {
      return CompletableFuture.completedFuture(order.orderId());
    }

    @Async
    @OutboxHandler("two")
    void elsewhere(OrderPlaced order) {}
  }

  /** A handler that commits by itself. */
  @Configuration(proxyBeanMethods = false)
  static class OwnTransaction {

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    @OutboxHandler("own")
    public void apart(OrderPlaced order) {}
  }

  /** A handler in the subscription of a publisher. */
  @Configuration(proxyBeanMethods = false)
  static class SharedSubscription {

    @OutboxHandler(value = "mail", subscription = "recording")
    void on(OrderPlaced order) {}
  }

  /** A handler that the proxy around its bean hides. */
  @SuppressWarnings("unused")
  static class Hidden {

    @Transactional
    public void somethingElse() {}

    @OutboxHandler("hidden")
    private void on(OrderPlaced order) {}
  }

  /** A bean with a handler behind a proxy, and one with prototype scope. */
  @Configuration(proxyBeanMethods = false)
  static class WrongBeans {

    static class Fresh {

      @OutboxHandler("fresh")
      void on(OrderPlaced order) {}
    }

    @Bean
    Hidden hidden() {
      return new Hidden();
    }

    @Bean
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Fresh fresh() {
      return new Fresh();
    }
  }

  /** Methods that cannot take effect once. */
  @Configuration(proxyBeanMethods = false)
  @SuppressWarnings("unused")
  static class WrongInboxed {

    @Inboxed(consumer = "a", source = "api", id = "#p0")
    public int counts(String id) {
      return id.length();
    }

    @Inboxed(consumer = "b", source = "api", id = "#p0")
    public CompletableFuture<String> later(String id) {
      return CompletableFuture.completedFuture(id);
    }

    @Inboxed(consumer = "c", source = "api", id = "#p0")
    private void hidden(String id) {}

    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    @Inboxed(consumer = "d", source = "api", id = "#p0")
    public void apart(String id) {}
  }

  /** An event whose key is not there, and one that says nothing of a key. */
  @Configuration(proxyBeanMethods = false)
  static class WrongEvents {

    @OutboxEvent(name = "misspelt", topic = "orders", key = "orderID")
    record Misspelt(String orderId) {}

    @OutboxEvent(name = "silent", topic = "orders")
    record Silent(String orderId) {}

    @OutboxEvent(name = "textless", topic = "orders", key = "id")
    record Textless(Id id) {

      static final class Id {}
    }
  }

  /** Two data sources, none primary. */
  @Configuration(proxyBeanMethods = false)
  static class TwoDataSources {

    @Bean
    DataSource orders() {
      return new DriverManagerDataSource(Postgres.shared().jdbcUrl("postgres"));
    }

    @Bean
    DataSource billing() {
      return new DriverManagerDataSource(Postgres.shared().jdbcUrl("postgres"));
    }

    @Bean
    JdbcClient jdbcClient() {
      return JdbcClient.create(orders());
    }
  }

  @Test
  void withoutTables() {
    assertThat(PrintedStart.of(List.of(RecordingConfiguration.class)))
        .contains("OUT-003", "outledger.schema-initialization=always");
  }

  @Test
  void withTwoDataSources() {
    assertThat(PrintedStart.of(List.of(RecordingConfiguration.class, TwoDataSources.class)))
        .contains("several data sources", "orders", "billing", "outledger.data-source");
  }

  @Test
  void withAHandlerOfAnUnregisteredType() {
    assertThat(PrintedStart.of(List.of(UnregisteredType.class), ALWAYS))
        .contains("UnregisteredType.on", "not registered", "@OutboxEvent");
  }

  @Test
  void withHandlersThatCannotBeCalled() {
    assertThat(PrintedStart.of(List.of(WrongSignatures.class), ALWAYS))
        .contains("twoEvents takes [OrderPlaced, String]", "nothing takes []", "void on(")
        .contains("WrongSignatures.nameless: OUT-006 the name of the handler is \"\"");
  }

  @Test
  void withHandlersWhoseWorkIsNotDoneWhenTheyReturn() {
    assertThat(PrintedStart.of(List.of(LateHandlers.class), ALWAYS))
        .contains("LateHandlers.later returns before its work is done", "LateHandlers.elsewhere");
  }

  @Test
  void withHandlersOfBeansThatCannotServe() {
    assertThat(PrintedStart.of(List.of(WrongBeans.class), ALWAYS))
        .contains("Hidden.on cannot be called through the proxy", "Make it public")
        .contains("Fresh.on belongs to a bean with the scope prototype", "ObjectProvider");
  }

  @Test
  void withInboxedMethodsThatCannotTakeEffectOnce() {
    assertThat(PrintedStart.of(List.of(RecordingConfiguration.class, WrongInboxed.class), ALWAYS))
        .contains("WrongInboxed.counts returns int", "a type that can be null")
        .contains("WrongInboxed.later returns before its work is done")
        .contains("WrongInboxed.hidden is private")
        .contains("WrongInboxed.apart leaves the transaction of its inbox row");
  }

  @Test
  void withAHandlerInTheSubscriptionOfAPublisher() {
    assertThat(
            PrintedStart.of(
                List.of(RecordingConfiguration.class, SharedSubscription.class), ALWAYS))
        .contains("have the same subscription: [recording]", "name another subscription");
  }

  @Test
  void withAHandlerThatCommitsByItself() {
    assertThat(PrintedStart.of(List.of(OwnTransaction.class), ALWAYS))
        .contains("OwnTransaction.apart leaves the transaction", "remove the propagation");
  }

  @Test
  void withoutATransactionManager() {
    assertThat(
            PrintedStart.of(
                List.of(
                    RecordingConfiguration.class,
                    InboxedConfiguration.class,
                    WithoutTransactions.class),
                ALWAYS,
                "outledger.events.packages=io.outledger.spring.contract.shop"))
        .contains("there is no transaction manager at all", "JdbcTransactionManager");
  }

  @Test
  void withATransactionManagerOfNoSuchName() {
    assertThat(
            PrintedStart.of(
                List.of(RecordingConfiguration.class, InboxedConfiguration.class),
                ALWAYS,
                "outledger.transaction-manager=orders"))
        .contains("outledger.transaction-manager is orders", "There are [transactionManager]");
  }

  @Test
  void withASubscriptionThatIsMisspelt() {
    assertThat(
            PrintedStart.of(
                List.of(RecordingConfiguration.class),
                ALWAYS,
                "outledger.subscriptions.recordin.attempts-max=3"))
        .contains("outledger.subscriptions.recordin names no subscription", "mean recording?");
  }

  @Test
  void withEventsThatCannotBeUsed() {
    assertThat(
            PrintedStart.of(
                List.of(RecordingConfiguration.class, WrongEvents.class),
                ALWAYS,
                "outledger.events.packages=io.outledger.spring.contract"))
        .contains("no property orderID", "Silent needs either key")
        .contains("Textless has the key id", "cannot be a key", "toString()");
  }

  @Test
  void withAMisspeltProperty() {
    assertThat(
            PrintedStart.of(List.of(RecordingConfiguration.class), "outledger.relay.enable=false"))
        .contains("outledger.relay.enable ", "did you mean outledger.relay.enabled?");
  }

  @Test
  void withPropertiesOfBrokersThatAreNone() {
    assertThat(
            PrintedStart.of(
                List.of(RecordingConfiguration.class),
                "outledger.publishers.orders.kafka.topik=orders",
                "outledger.publishers.bills.rabbit.exchange=shop",
                "outledger.receivers.billing.kafka.topic=orders",
                "outledger.kafka.source=/shop"))
        .contains(
            "did you mean outledger.publishers.orders.kafka.topic?",
            "did you mean outledger.publishers.bills.rabbitmq.exchange?",
            "did you mean outledger.receivers.billing.kafka.topics?",
            "did you mean outledger.publishers.kafka.source?");
  }

  @Test
  void withAPublisherThatIsABeanAndInProperties() {
    assertThat(
            PrintedStart.of(
                List.of(RecordingConfiguration.class),
                "outledger.schema-initialization=always",
                "spring.kafka.bootstrap-servers=127.0.0.1:1",
                "outledger.publishers.recording.kafka.enabled=true"))
        .contains("the Publisher bean recording", "outledger.publishers.recording.*");
  }

  @Test
  void withABrokerWhoseModuleIsMissing() {
    assertThat(
            PrintedStart.of(
                List.of(RecordingConfiguration.class),
                "outledger.publishers.orders.mqtt.url=mqtt://127.0.0.1:1"))
        .contains(
            "outledger.publishers.orders.mqtt is set, but outledger-mqtt is not there: add it");
  }

  @Test
  void withValuesThatCannotBeUsedAllAreNamed() {
    assertThat(
            PrintedStart.of(
                List.of(RecordingConfiguration.class),
                "outledger.relay.attempts-max=0",
                "outledger.relay.lease=1ms",
                "outledger.handlers.concurrency=0"))
        .contains(
            "outledger.relay.attempts-max is 0",
            "outledger.relay.lease is 1 ms, and must be at least 500 ms",
            "outledger.handlers.concurrency is 0");
  }

  @Test
  void withNowhereToPublishTo() {
    assertThat(PrintedStart.of(List.of(), ALWAYS))
        .contains("nowhere to publish to", "spring.kafka.bootstrap-servers", "Publisher");
  }
}
