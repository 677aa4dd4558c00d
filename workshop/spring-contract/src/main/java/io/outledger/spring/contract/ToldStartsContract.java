// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Outbox;
import io.outledger.jdbc.Outledger;
import io.outledger.publish.Publisher;
import io.outledger.servers.Await;
import io.outledger.spring.boot.InboxListener;
import io.outledger.spring.boot.OutboxHandler;
import io.outledger.spring.boot.RelayProgress;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A start that works, and of which something is seldom meant: the log says so. */
public abstract class ToldStartsContract {

  private static final String ALWAYS = "outledger.schema-initialization=always";
  private static final Duration SOON = Duration.ofSeconds(30);

  /** Creates it. */
  protected ToldStartsContract() {}

  /** A publisher, before somebody gave its bean another name. */
  @Configuration(proxyBeanMethods = false)
  static class Before {

    @Bean
    Publisher kafkaOrders() {
      return new RecordingPublisher();
    }
  }

  /** The same, with the new name. */
  @Configuration(proxyBeanMethods = false)
  static class After {

    @Bean
    Publisher orderEvents() {
      return new RecordingPublisher();
    }
  }

  private static String published() {
    String url = "spring.datasource.url=" + RunningShop.database();
    try (RunningShop shop = RunningShop.start(List.of(Before.class), ALWAYS, url)) {
      new TransactionTemplate(shop.bean(PlatformTransactionManager.class))
          .executeWithoutResult(
              status -> shop.bean(Outbox.class).append(new OrderPlaced("o-1", 1)));
      RecordingPublisher publisher = (RecordingPublisher) shop.bean(Publisher.class);
      Await.until("it is published", SOON, () -> !publisher.arrivals().isEmpty());
    }
    return url;
  }

  @Test
  void aRenamedBeanIsToldBeforeItPublishesEverythingAgain() {
    String url = published();
    assertThat(PrintedStart.ofOneThatWorks(() -> RunningShop.start(List.of(After.class), url)))
        .contains(
            "OUT-036: subscription orderEvents is new",
            "beside [kafkaOrders]",
            "@Bean(\"kafkaOrders\")",
            "Verb.Rename.subscription(\"kafkaOrders\", \"orderEvents\")",
            "outledger.subscriptions.orderEvents.start-now=true");
  }

  /** Their place in the ledger is of no use to a publisher. */
  @Test
  void handlersThatAreGoneAreNotTakenForARenamedPublisher() {
    String url = "spring.datasource.url=" + RunningShop.database();
    try (RunningShop shop =
        RunningShop.start(List.of(Before.class, ThreeHandlers.class), ALWAYS, url)) {
      new TransactionTemplate(shop.bean(PlatformTransactionManager.class))
          .executeWithoutResult(
              status -> shop.bean(Outbox.class).append(new OrderPlaced("o-1", 1)));
      Await.until(
          "both have read it",
          SOON,
          () ->
              shop.bean(Outledger.class).admin().subscriptions().stream()
                      .filter(each -> each.cursor().high() > 0)
                      .count()
                  == 2);
    }
    assertThat(PrintedStart.ofOneThatWorks(() -> RunningShop.start(List.of(After.class), url)))
        .contains("OUT-036: subscription orderEvents is new", "beside [kafkaOrders], which");
  }

  @Test
  void neitherTheOldNameNorOneThatStartsNowIsTold() {
    String url = published();
    assertThat(PrintedStart.ofOneThatWorks(() -> RunningShop.start(List.of(Before.class), url)))
        .doesNotContain("OUT-036");
    assertThat(
            PrintedStart.ofOneThatWorks(
                () ->
                    RunningShop.start(
                        List.of(After.class),
                        url,
                        "outledger.subscriptions.orderEvents.start-now=true")))
        .doesNotContain("OUT-036");
  }

  /** A listener, before somebody gave its consumer another name. */
  @Configuration(proxyBeanMethods = false)
  static class ListenerBefore {

    static class Billing {

      @InboxListener("billing")
      public void bill(OrderPlaced order) {}
    }

    @Bean
    Billing listener() {
      return new Billing();
    }

    @Bean
    MemoryReceiver billing() {
      return new MemoryReceiver();
    }
  }

  /** The same, with the new name. */
  @Configuration(proxyBeanMethods = false)
  static class ListenerAfter {

    static class Invoicing {

      @InboxListener("invoicing")
      public void bill(OrderPlaced order) {}
    }

    @Bean
    Invoicing listener() {
      return new Invoicing();
    }

    @Bean
    MemoryReceiver invoicing() {
      return new MemoryReceiver();
    }
  }

  private static RunningShop received(Class<?> listener, String url) {
    RunningShop shop = RunningShop.start(List.of(listener), ALWAYS, url);
    MemoryReceiver receiver = shop.bean(MemoryReceiver.class);
    receiver.send(shop.bean(Outledger.class).events().message(new OrderPlaced("o-1", 1)));
    Await.until("it is received", SOON, () -> receiver.pending() == 0);
    return shop;
  }

  @Test
  void aRenamedListenerIsTold() {
    String url = "spring.datasource.url=" + RunningShop.database();
    assertThat(PrintedStart.ofOneThatWorks(() -> received(ListenerBefore.class, url)))
        .doesNotContain("OUT-036");
    assertThat(PrintedStart.ofOneThatWorks(() -> received(ListenerAfter.class, url)))
        .contains("OUT-036: consumer invoicing is new", "beside [billing]");
  }

  @Test
  void aPackageWithoutEventsIsTold() {
    assertThat(
            PrintedStart.ofOneThatWorks(
                () ->
                    RunningShop.start(
                        List.of(RecordingConfiguration.class),
                        ALWAYS,
                        "outledger.events.packages=com.example.evnets,"
                            + OrderPlaced.class.getPackageName())))
        .contains("outledger.events.packages names com.example.evnets, and")
        .doesNotContain("names " + OrderPlaced.class.getPackageName());
  }

  /** An application of nothing. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      excludeName = {
        "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
        "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
        "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
        "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
      })
  static class WithoutDataSource {}

  @Test
  void aConfigurationWithoutADataSourceIsTold() {
    List<Class<?>> nothing = List.of(WithoutDataSource.class);
    assertThat(
            PrintedStart.ofOneThatWorks(() -> RunningShop.of(nothing, "outledger.relay.lease=7s")))
        .contains("there is no DataSource bean: no outbox, no relays, no handlers");
    assertThat(PrintedStart.ofOneThatWorks(() -> RunningShop.of(nothing)))
        .doesNotContain("there is no DataSource bean");
    assertThat(
            PrintedStart.ofOneThatWorks(
                () -> RunningShop.of(nothing, "outledger.enabled=false", "outledger.schema=a")))
        .doesNotContain("there is no DataSource bean");
  }

  /** Three handlers. */
  @Configuration(proxyBeanMethods = false)
  static class ThreeHandlers {

    static class Work {

      @OutboxHandler("a")
      public void a(OrderPlaced order) {}

      @OutboxHandler("b")
      public void b(OrderPlaced order) {}

      @OutboxHandler(value = "c", concurrency = 2)
      public void c(OrderPlaced order) {}
    }

    @Bean
    Work work() {
      return new Work();
    }
  }

  @Test
  void handlersThatMayTakeTheWholePoolAreTold() {
    List<Class<?>> handlers = List.of(RecordingConfiguration.class, ThreeHandlers.class);
    assertThat(
            PrintedStart.ofOneThatWorks(
                () ->
                    RunningShop.start(
                        handlers, ALWAYS, "spring.datasource.hikari.maximum-pool-size=15")))
        .contains(
            "2 relays take up to two each, handlers work with up to 10 at a time",
            "the pool has 15",
            "spring.datasource.hikari.maximum-pool-size to more than 15");
    assertThat(
            PrintedStart.ofOneThatWorks(
                () ->
                    RunningShop.start(
                        handlers, ALWAYS, "spring.datasource.hikari.maximum-pool-size=16")))
        .doesNotContain("every connection of the pool");
  }

  /** Relays keep theirs for as long as they run: nothing gives one back. */
  @Test
  void relaysAndReceiversThatMayTakeTheWholePoolAreTold() {
    assertThat(
            PrintedStart.ofOneThatWorks(
                () ->
                    RunningShop.start(
                        List.of(RecordingConfiguration.class),
                        ALWAYS,
                        "spring.datasource.hikari.maximum-pool-size=3")))
        .contains("1 relay takes up to two, and the", "more than 3");
    assertThat(
            PrintedStart.ofOneThatWorks(
                () ->
                    RunningShop.start(
                        List.of(ListenerBefore.class),
                        ALWAYS,
                        "outledger.relay.enabled=false",
                        "spring.datasource.hikari.maximum-pool-size=3")))
        .contains("1 receiver takes up to two, and the", "more than 3");
    assertThat(
            PrintedStart.ofOneThatWorks(
                () ->
                    RunningShop.start(
                        List.of(RecordingConfiguration.class, ListenerBefore.class),
                        ALWAYS,
                        "outledger.receiving.enabled=false",
                        "spring.datasource.hikari.maximum-pool-size=4")))
        .doesNotContain("every connection of the pool");
  }

  /** A data source for relays, which no injection takes for the application's. */
  @Configuration(proxyBeanMethods = false)
  static class RelaysOwn {

    /** Counts what it hands out. */
    static final class Counting extends DriverManagerDataSource {

      final AtomicInteger open = new AtomicInteger();

      Counting(String url) {
        super(url);
      }

      @Override
      public Connection getConnection() throws SQLException {
        open.incrementAndGet();
        return super.getConnection();
      }
    }

    @Bean(defaultCandidate = false)
    DataSource ofRelays(Environment environment) {
      return new Counting(environment.getRequiredProperty("spring.datasource.url"));
    }
  }

  @Test
  void relaysTakeTheirConnectionsFromTheDataSourceThatIsNamed() {
    try (RunningShop shop =
        RunningShop.start(
            List.of(RecordingConfiguration.class, RelaysOwn.class),
            ALWAYS,
            "outledger.relay.data-source=ofRelays")) {
      RelayProgress progress = shop.bean(RelayProgress.class);
      Await.until(
          "the relay runs",
          SOON,
          () -> progress.details().equals(Map.of("recording", "running; nothing tried yet")));
      RelaysOwn.Counting own =
          (RelaysOwn.Counting) shop.context().getBean("ofRelays", DataSource.class);
      assertThat(own.open).hasPositiveValue();
    }
    assertThat(
            PrintedStart.of(
                List.of(RecordingConfiguration.class),
                ALWAYS,
                "outledger.relay.data-source=nowhere"))
        .contains("outledger.relay.data-source is nowhere, and no data source has that name");
  }
}
