// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import io.outledger.spring.Inboxed;
import io.outledger.spring.boot.InboxListener;
import io.outledger.spring.contract.RunningShop;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.spring.contract.shop.OrderService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/** Consumers of Kafka: by Outledger's receiver, and by a container of Spring Kafka. */
class ListenersOnKafkaIT {

  private static final String TOPIC = "to-orders";
  private static final String BYTES = "org.apache.kafka.common.serialization.ByteArrayDeserializer";
  private static final Duration SOON = Duration.ofSeconds(60);

  @BeforeAll
  static void topic() {
    KafkaBroker.shared().createTopic(TOPIC, 1, Map.of());
  }

  @Test
  void aConsumerThatMovesFromTheOneToTheOtherRepeatsNothing() {
    String url =
        "spring.datasource.url=" + Postgres.shared().jdbcUrl(Postgres.shared().createDatabase());
    try (RunningShop shop = start(List.of(ByContainer.class, HoldsOn.class), url)) {
      jdbc(shop).sql("CREATE TABLE orders (id text, cents int)").update();
      jdbc(shop).sql("CREATE TABLE payments (order_id text)").update();
      shop.bean(OrderService.class).place("o-1", 1);
      Await.until("it is billed", SOON, () -> payments(shop).equals(List.of("o-1")));
    }
    String source = "outledger.receivers.billing.kafka.topics=" + TOPIC;
    try (RunningShop shop = start(List.of(ByReceiver.class), url, source)) {
      shop.bean(OrderService.class).place("o-2", 1);
      Await.until("the next is billed", SOON, () -> payments(shop).contains("o-2"));
      assertThat(payments(shop)).containsExactly("o-1", "o-2");
    }
  }

  @Test
  void aContainerThatGivesUpStopsTheStart() {
    assertThatThrownBy(() -> start(List.of(ByContainer.class)).close())
        .rootCause()
        .hasMessageContaining("OUT-021")
        .hasMessageContaining("has no error handler")
        .hasMessageContaining("Billing.bill")
        .hasMessageContaining("UNLIMITED_ATTEMPTS");
  }

  @Test
  void aContainerThatRetriesByOtherTopicsStopsTheStart() {
    assertThatThrownBy(
            () ->
                start(List.of(ByContainer.class), "spring.kafka.retry.topic.enabled=true").close())
        .rootCause()
        .hasMessageContaining("OUT-021")
        .hasMessageContaining("retried by other topics")
        .hasMessageContaining("Billing.bill")
        .hasMessageContaining("Name the source");
  }

  /** At the first attempt, whatever the back-off of the handler is. */
  @Test
  void aContainerThatGivesUpFatalExceptionsStopsTheStart() {
    assertThatThrownBy(() -> start(List.of(ByContainer.class, GivesUpAtOnce.class)).close())
        .rootCause()
        .hasMessageContaining("OUT-021")
        .hasMessageContaining("does not retry Spring Kafka's fatal exceptions");
  }

  @Test
  void aRecordWhoseMethodThrowsWhatSpringKafkaCallsFatalIsNotLost() {
    String url =
        "spring.datasource.url=" + Postgres.shared().jdbcUrl(Postgres.shared().createDatabase());
    try (RunningShop shop = start(List.of(Fails.class, HoldsOn.class), url)) {
      jdbc(shop).sql("CREATE TABLE orders (id text, cents int)").update();
      jdbc(shop).sql("CREATE TABLE payments (order_id text)").update();
      shop.bean(OrderService.class).place("fatal", 1);
      Await.until("it is billed", SOON, () -> payments(shop).contains("fatal"));
    }
  }

  /** Another team writes plain JSON to the topic. */
  @Test
  void aRecordOfAStrangerIsParkedAndTheNextOnesAreReceived() throws Exception {
    String topic = "with-strangers";
    KafkaBroker.shared().createTopic(topic, 1, Map.of());
    try (Producer<byte[], byte[]> stranger =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", KafkaBroker.shared().bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      stranger.send(new ProducerRecord<>(topic, "{}".getBytes(UTF_8))).get();
    }
    try (RunningShop shop =
        start(
            List.of(ByReceiver.class),
            "outledger.receivers.billing.kafka.topics=" + topic,
            "outledger.publishers.kafka.kafka.topic=" + topic)) {
      shop.bean(OrderService.class).place("o-3", 1);
      Await.until("the next one is billed", SOON, () -> payments(shop).contains("o-3"));
      assertThat(
              jdbc(shop)
                  .sql("SELECT state || ' ' || topic || ' ' || error FROM outledger_inbox_parked")
                  .query(String.class)
                  .single())
          .startsWith("dead " + topic + "-0@0 ")
          .contains("OUT-014");
    }
  }

  private static RunningShop start(List<Class<?>> configuration, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("spring.kafka.bootstrap-servers=" + KafkaBroker.shared().bootstrapServers());
    all.add("spring.kafka.consumer.auto-offset-reset=earliest");
    all.add("spring.kafka.consumer.value-deserializer=" + BYTES);
    String to = "outledger.publishers.kafka.kafka.topic=";
    if (all.stream().noneMatch(each -> each.startsWith(to))) {
      all.add(to + "to-{topic}");
    }
    all.add("outledger.schema-initialization=always");
    return RunningShop.start(configuration, all.toArray(String[]::new));
  }

  private static JdbcClient jdbc(RunningShop shop) {
    return shop.bean(JdbcClient.class);
  }

  private static List<String> payments(RunningShop shop) {
    return jdbc(shop)
        .sql("SELECT order_id FROM payments ORDER BY order_id")
        .query(String.class)
        .list();
  }

  /** Keeps a record until it is processed. */
  @Configuration(proxyBeanMethods = false)
  static class HoldsOn {

    @Bean
    DefaultErrorHandler errorHandler() {
      DefaultErrorHandler handler =
          new DefaultErrorHandler(new FixedBackOff(100, FixedBackOff.UNLIMITED_ATTEMPTS));
      handler.setClassifications(Map.of(), true);
      return handler;
    }
  }

  /** Tries without end, but for what Spring Kafka calls fatal. */
  @Configuration(proxyBeanMethods = false)
  static class GivesUpAtOnce {

    @Bean
    DefaultErrorHandler errorHandler() {
      return new DefaultErrorHandler(new FixedBackOff(100, FixedBackOff.UNLIMITED_ATTEMPTS));
    }
  }

  /** A method that fails twice. */
  @Configuration(proxyBeanMethods = false)
  static class Fails {

    /** Bills orders. */
    static class Failing {

      private final JdbcClient jdbc;
      private final AtomicInteger attempts = new AtomicInteger();

      Failing(JdbcClient jdbc) {
        this.jdbc = jdbc;
      }

      /** Bills one. */
      @KafkaListener(topics = TOPIC, groupId = "fails")
      @Inboxed(consumer = "failing")
      void bill(ConsumerRecord<String, byte[]> record) {
        if (record.key().equals("fatal") && attempts.incrementAndGet() < 3) {
          throw new IllegalStateException(new ClassCastException("on purpose"));
        }
        jdbc.sql("INSERT INTO payments (order_id) VALUES (?)").param(record.key()).update();
      }
    }

    @Bean
    Failing failing(JdbcClient jdbc) {
      return new Failing(jdbc);
    }
  }

  /** The consumer, in a container of Spring Kafka. */
  @Configuration(proxyBeanMethods = false)
  static class ByContainer {

    /** Bills orders. */
    static class Billing {

      private final JdbcClient jdbc;

      Billing(JdbcClient jdbc) {
        this.jdbc = jdbc;
      }

      /** Bills one. */
      @KafkaListener(topics = TOPIC, groupId = "by container")
      @Inboxed(consumer = "billing")
      void bill(ConsumerRecord<String, byte[]> record) {
        jdbc.sql("INSERT INTO payments (order_id) VALUES (?)").param(record.key()).update();
      }
    }

    @Bean
    Billing billing(JdbcClient jdbc) {
      return new Billing(jdbc);
    }
  }

  /** The same consumer, with Outledger's receiver. */
  @Configuration(proxyBeanMethods = false)
  static class ByReceiver {

    /** Bills orders. */
    static class Receiving {

      private final JdbcClient jdbc;

      Receiving(JdbcClient jdbc) {
        this.jdbc = jdbc;
      }

      /** Bills one. */
      @InboxListener("billing")
      void bill(OrderPlaced order) {
        jdbc.sql("INSERT INTO payments (order_id) VALUES (?)").param(order.orderId()).update();
      }
    }

    @Bean
    Receiving billing(JdbcClient jdbc) {
      return new Receiving(jdbc);
    }
  }
}
