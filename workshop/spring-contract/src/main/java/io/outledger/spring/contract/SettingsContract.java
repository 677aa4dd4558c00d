// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.servers.Await;
import io.outledger.spring.boot.OutboxHandler;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Each property has the effect that docs/spring.md promises. */
public abstract class SettingsContract {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String ALWAYS = "outledger.schema-initialization=always";
  private static final List<Class<?>> RECORDING = List.of(RecordingConfiguration.class);
  private static final List<Class<?>> HANDLERS = List.of(HandlerConfiguration.class);

  /** Creates it. */
  protected SettingsContract() {}

  /** A handler that goes on when six messages are in it. */
  @Configuration(proxyBeanMethods = false)
  static class Meeting {

    /** Waits. */
    static class Room {

      private final CountDownLatch seats = new CountDownLatch(6);

      @OutboxHandler("meeting")
      void meet(OrderPlaced order) throws InterruptedException {
        seats.countDown();
        if (!seats.await(SOON.toSeconds(), TimeUnit.SECONDS)) {
          throw new IllegalStateException(order.orderId() + " waits for others");
        }
      }
    }

    @Bean
    Room room() {
      return new Room();
    }
  }

  @Test
  void schemaInstanceAndLease() {
    try (RunningShop shop =
        RunningShop.start(
            RECORDING,
            ALWAYS,
            "outledger.schema=app",
            "outledger.instance=shop-7",
            "outledger.relay.lease=7s")) {
      place(shop, "o-1", 1);
      Await.until("o-1 is published", SOON, () -> published(shop).contains("o-1"));
      assertThat(texts(shop, "SELECT message_key FROM app.outledger_message"))
          .containsExactly("o-1");
      Await.until(
          "the relay has told its state",
          SOON,
          () -> texts(shop, "SELECT instance FROM app.outledger_status").equals(List.of("shop-7")));
      assertThat(texts(shop, "SELECT DISTINCT lease_millis FROM app.outledger_cursor"))
          .contains("7000");
    }
  }

  @Test
  void payloadMax() {
    try (RunningShop shop = RunningShop.start(RECORDING, ALWAYS, "outledger.payload-max=30B")) {
      place(shop, "o-1", 1);
      assertThatThrownBy(() -> place(shop, "o-1-is-longer-now", 1))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("30");
      assertThat(texts(shop, "SELECT message_key FROM outledger_message")).containsExactly("o-1");
    }
  }

  @Test
  void enabled() {
    try (RunningShop shop =
        RunningShop.start(List.of(OwnOutbox.class), "outledger.enabled=false")) {
      assertThat(shop.context().getBeanNamesForType(Outbox.class)).containsExactly("own");
    }
  }

  /** What the application needs in its place. */
  @Configuration(proxyBeanMethods = false)
  static class OwnOutbox {

    @Bean
    Outbox own() {
      return events -> List.of();
    }
  }

  @Test
  void attemptsAndBackoffOfTheRelay() {
    attemptsAndBackoff("outledger.relay.");
  }

  @Test
  void attemptsAndBackoffOfOneSubscription() {
    attemptsAndBackoff("outledger.subscriptions.handlers.");
  }

  // With the default, the eighth attempt would come after minutes.
  private static void attemptsAndBackoff(String prefix) {
    try (RunningShop shop =
        RunningShop.start(
            HANDLERS,
            ALWAYS,
            prefix + "attempts-max=12",
            prefix + "backoff-first=1ms",
            prefix + "backoff-max=2ms")) {
      place(shop, "o-1", 0);
      HandlerConfiguration.Letters letters = shop.bean(HandlerConfiguration.Letters.class);
      Await.until("the dead letter is told", SOON, () -> !letters.all().isEmpty());
      assertThat(letters.all().get(0).attempts()).isEqualTo(12);
    }
  }

  @Test
  void aDeadLettersKeyStaysBlocked() {
    try (RunningShop shop =
        RunningShop.start(
            HANDLERS,
            ALWAYS,
            "outledger.subscriptions.handlers.attempts-max=1",
            "outledger.subscriptions.handlers.dead-letter=key_stays_blocked")) {
      HandlerConfiguration.Letters letters = shop.bean(HandlerConfiguration.Letters.class);
      place(shop, "o-1", 0);
      Await.until("the dead letter is told", SOON, () -> !letters.all().isEmpty());
      place(shop, "o-1", 5);
      String held = "SELECT route FROM outledger_parked WHERE state = 'held'";
      Await.until("the next one is held", SOON, () -> texts(shop, held).equals(List.of("audit")));
      assertThat(texts(shop, "SELECT order_id FROM audits")).isEmpty();
    }
  }

  @Test
  void aSubscriptionThatStartsNowPassesOverWhatIsThere() {
    String url = "spring.datasource.url=" + RunningShop.database();
    try (RunningShop before =
        RunningShop.start(RECORDING, ALWAYS, url, "outledger.relay.enabled=false")) {
      place(before, "old", 1);
      assertThat(texts(before, "SELECT instance FROM outledger_status")).isEmpty();
    }
    try (RunningShop shop =
        RunningShop.start(RECORDING, url, "outledger.subscriptions.recording.start-now=true")) {
      Await.until(
          "the subscription is there",
          SOON,
          () -> !texts(shop, "SELECT subscription FROM outledger_cursor").isEmpty());
      place(shop, "new", 1);
      Await.until("it is published", SOON, () -> published(shop).contains("new"));
      assertThat(published(shop)).containsExactly("new");
    }
  }

  @Test
  void messagesAreRemovedAtTheirAgeUnlessThatIsOff() {
    String url = "spring.datasource.url=" + RunningShop.database();
    String age = "outledger.retention.messages=0s";
    try (RunningShop shop =
        RunningShop.start(RECORDING, ALWAYS, url, age, "outledger.retention.enabled=false")) {
      place(shop, "o-1", 1);
      place(shop, "o-2", 1);
      Await.until("both are published", SOON, () -> published(shop).size() == 2);
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(thread -> thread.getName().equals("outledger-retention"));
    }
    try (RunningShop shop = RunningShop.start(RECORDING, url, age)) {
      Await.until(
          "they are removed",
          SOON,
          () -> texts(shop, "SELECT message_key FROM outledger_message").isEmpty());
    }
  }

  @Test
  void messagesAreRemovedAtTheirInterval() {
    try (RunningShop shop =
        RunningShop.start(
            RECORDING,
            ALWAYS,
            "outledger.retention.messages=0s",
            "outledger.retention.interval=50ms",
            "outledger.retention.batch=1")) {
      place(shop, "o-1", 1);
      Await.until("it is published", SOON, () -> published(shop).size() == 1);
      Await.until(
          "it is removed",
          SOON,
          () -> texts(shop, "SELECT message_key FROM outledger_message").isEmpty());
    }
  }

  @Test
  void inboxesThatForgetBeforeTheLastAttemptAreRefused() {
    assertThat(PrintedStart.of(HANDLERS, ALWAYS, "outledger.retention.inbox=1m"))
        .contains("inbox", "1 minute");
    RunningShop.start(
            HANDLERS, ALWAYS, "outledger.retention.inbox=1m", "outledger.relay.attempts-max=2")
        .close();
  }

  @Test
  void concurrencyOfHandlers() {
    try (RunningShop shop =
        RunningShop.start(List.of(Meeting.class), ALWAYS, "outledger.handlers.concurrency=6")) {
      for (int i = 0; i < 6; i++) {
        place(shop, "o-" + i, 1);
      }
      CountDownLatch seats = shop.bean(Meeting.Room.class).seats;
      Await.until("six are handled at a time", SOON, () -> seats.getCount() == 0);
    }
  }

  /** Notes which partitions it is asked to hear, as the health indicator does. */
  static final class Hearing implements RelayListener {

    final Set<Integer> partitions = ConcurrentHashMap.newKeySet();

    @Override
    public void on(RelayEvent event) {}

    @Override
    public RelayListener ofPartition(int partition) {
      partitions.add(partition);
      return event -> {};
    }
  }

  @Test
  void partitionsOfASubscription() {
    List<Class<?>> sources =
        List.of(HandlerConfiguration.class, ToldStartsContract.RelaysOwn.class, Hearing.class);
    String own = "outledger.relay.data-source=ofRelays";
    String three = "outledger.subscriptions.handlers.partitions=3";
    try (RunningShop shop = RunningShop.start(sources, ALWAYS, own, three)) {
      for (int i = 0; i < 9; i++) {
        place(shop, "o-" + i, 1);
      }
      String audited = "SELECT order_id FROM audits";
      Await.until("all are handled", SOON, () -> texts(shop, audited).size() == 9);
      assertThat(texts(shop, "SELECT DISTINCT partition_no FROM outledger_cursor"))
          .containsExactlyInAnyOrder("1", "2", "3");
      assertThat(shop.bean(Hearing.class).partitions).containsExactlyInAnyOrder(1, 2, 3);
    }
    assertThat(PrintedStart.of(sources, ALWAYS, own, three, "outledger.handlers.concurrency=1"))
        .contains("has one thread, and outledger.subscriptions.handlers.partitions is 3");
    assertThat(PrintedStart.of(sources, ALWAYS, three))
        .contains("outledger.subscriptions.handlers.partitions is 3, and each partition keeps");
    assertThat(
            PrintedStart.of(
                List.of(HandlerConfiguration.class),
                ALWAYS,
                "outledger.relay.data-source=dataSource",
                "spring.datasource.hikari.maximum-pool-size=3",
                three))
        .contains("outledger.relay.data-source names has 3 connections", "process keep 3, one");
  }

  private static void place(RunningShop shop, String key, int cents) {
    new TransactionTemplate(shop.bean(PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> shop.bean(Outbox.class).append(new OrderPlaced(key, cents)));
  }

  private static List<String> published(RunningShop shop) {
    return shop.bean(RecordingPublisher.class).arrivals().stream()
        .map(RecordingPublisher.Arrival::message)
        .map(Message::key)
        .map(String::valueOf)
        .toList();
  }

  private static List<String> texts(RunningShop shop, String sql) {
    return shop.bean(JdbcClient.class).sql(sql).query(String.class).list();
  }
}
