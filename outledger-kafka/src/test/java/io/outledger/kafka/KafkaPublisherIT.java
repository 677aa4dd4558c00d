// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.publish.Outcome.PUBLISHED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.event.Events;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.publish.PublisherClient;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

final class KafkaPublisherIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();
  private static final AtomicInteger TOPICS = new AtomicInteger();
  private static final Duration DELIVERY = Duration.ofMinutes(1);

  private final ReportedOutcomes outcomes = new ReportedOutcomes();

  private static String topic(int partitions, Map<String, String> configs) {
    String name = "published-" + TOPICS.incrementAndGet();
    KAFKA.createTopic(name, partitions, configs);
    return name;
  }

  private PublisherClient open() {
    return open(Map.of());
  }

  private PublisherClient open(Map<String, Object> more) {
    Map<String, Object> settings = new java.util.HashMap<>(more);
    settings.put("bootstrap.servers", KAFKA.bootstrapServers());
    return KafkaPublisher.with(settings).source("/shop").open(DELIVERY, outcomes);
  }

  private static Message text(String topic, String key, String payload) {
    return Message.to(topic, "text").key(key).payload(payload.getBytes(UTF_8)).build();
  }

  @Test
  void payloadsArriveByteForByte() {
    String topic = topic(1, Map.of("max.message.bytes", "3000000"));
    byte[] random = new byte[1 << 20];
    new Random(7).nextBytes(random);
    List<byte[]> payloads =
        List.of(
            new byte[0],
            new byte[] {0, 1, 0},
            new byte[] {(byte) 0xc3, (byte) 0x28, (byte) 0xff, (byte) 0xed, (byte) 0xa0},
            random);
    try (PublisherClient client = open(Map.of("max.request.size", 2_000_000))) {
      for (int i = 0; i < payloads.size(); i++) {
        client.publish(i, 1, Message.to(topic, "bytes").payload(payloads.get(i)).build());
      }
      assertThat(outcomes.awaitAll(0, 3)).containsOnly(PUBLISHED);
    }
    List<ConsumerRecord<byte[], byte[]>> records = TopicRecords.of(KAFKA.bootstrapServers(), topic);
    assertThat(records).hasSameSizeAs(payloads);
    for (int i = 0; i < payloads.size(); i++) {
      assertThat(records.get(i).value()).isEqualTo(payloads.get(i));
    }
  }

  @Test
  void tombstoneIsARecordWithoutAValue() {
    String topic = topic(1, Map.of("cleanup.policy", "compact"));
    try (PublisherClient client = open()) {
      client.publish(1, 1, text(topic, "c-1", "here"));
      client.publish(2, 1, Message.to(topic, "text").key("c-1").tombstone().build());
      assertThat(outcomes.awaitAll(1, 2)).containsOnly(PUBLISHED);
    }
    assertThat(TopicRecords.of(KAFKA.bootstrapServers(), topic))
        .extracting(record -> record.value() == null)
        .containsExactly(false, true);
  }

  @Test
  void recordIsACloudEventInBinaryMode() {
    String topic = topic(1, Map.of());
    String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    Message message =
        Message.to(topic, "order.placed")
            .version(2)
            .key("ö-1")
            .time(Instant.parse("2026-11-21T01:02:03.000456Z"))
            .header("content-type", "application/json")
            .header("traceparent", trace)
            .header("tracestate", "a=b")
            .header("tenant", "grün")
            .header("ce_subject", "order 1")
            .build();
    try (PublisherClient client = open()) {
      client.publish(42, 1, message);
      assertThat(outcomes.await(42)).isEqualTo(PUBLISHED);
    }
    ConsumerRecord<byte[], byte[]> record = TopicRecords.of(KAFKA.bootstrapServers(), topic).get(0);
    assertThat(record.key()).isEqualTo("ö-1".getBytes(UTF_8));
    Map<String, String> headers = new java.util.TreeMap<>();
    record.headers().forEach(h -> headers.put(h.key(), new String(h.value(), UTF_8)));
    assertThat(headers)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("ce_specversion", "1.0"),
                Map.entry("ce_id", message.id().toString()),
                Map.entry("ce_source", "/shop"),
                Map.entry("ce_type", "order.placed"),
                Map.entry("ce_time", "2026-11-21T01:02:03.000456Z"),
                Map.entry("ce_sequence", "0000000000000000042"),
                Map.entry("ce_dataversion", "2"),
                Map.entry("ce_partitionkey", "ö-1"),
                Map.entry("ce_traceparent", trace),
                Map.entry("ce_tracestate", "a=b"),
                Map.entry("traceparent", trace),
                Map.entry("tracestate", "a=b"),
                Map.entry("content-type", "application/json"),
                Map.entry("tenant", "grün"),
                Map.entry("ce_subject", "order 1")));
  }

  @Test
  void keysKeepTheirOrderAndTheirPartition() {
    String topic = topic(4, Map.of());
    try (PublisherClient client = open()) {
      for (int i = 0; i < 5_000; i++) {
        client.publish(i, 1, text(topic, "key-" + i % 50, Integer.toString(i)));
      }
      assertThat(outcomes.awaitAll(0, 4_999)).containsOnly(PUBLISHED);
    }
    Map<String, List<ConsumerRecord<byte[], byte[]>>> byKey =
        TopicRecords.of(KAFKA.bootstrapServers(), topic).stream()
            .collect(java.util.stream.Collectors.groupingBy(r -> new String(r.key(), UTF_8)));
    assertThat(byKey).hasSize(50);
    byKey.forEach(
        (key, records) -> {
          assertThat(records)
              .extracting(ConsumerRecord::partition)
              .containsOnly(records.get(0).partition());
          assertThat(records)
              .extracting(r -> Integer.parseInt(new String(r.value(), UTF_8)))
              .isSorted()
              .hasSize(100);
        });
  }

  @Test
  void tooLargeForTheClientIsRejectedAndTheRestFlows() {
    String topic = topic(1, Map.of());
    try (PublisherClient client = open(Map.of("max.request.size", 2_000))) {
      client.publish(1, 1, text(topic, "k", "before"));
      client.publish(2, 1, text(topic, "k", "x".repeat(3_000)));
      client.publish(3, 1, text(topic, "k", "after"));
      assertThat(outcomes.awaitAll(1, 3).get(1))
          .isInstanceOfSatisfying(
              Rejected.class, r -> assertThat(r.kind()).isEqualTo(Rejected.Kind.DEFINITE));
      assertThat(outcomes.inOrder(1, 3)).element(0).isEqualTo(PUBLISHED);
      assertThat(outcomes.inOrder(1, 3)).element(2).isEqualTo(PUBLISHED);
    }
    assertThat(TopicRecords.texts(KAFKA.bootstrapServers(), topic))
        .containsExactly("before", "after");
  }

  @Test
  void payloadJustUnderTheOutboxesLimitIsOverKafkasAndTheReasonSaysWhatToRaise() {
    String topic = topic(1, Map.of());
    Message message = text(topic, "k", "x".repeat(Events.PAYLOAD_BYTES_MAX - 1));
    try (PublisherClient client = open()) {
      client.publish(1, 1, message);
      assertThat(outcomes.awaitAll(1, 1).get(0))
          .isInstanceOfSatisfying(
              Rejected.class,
              r ->
                  assertThat(r.reason())
                      .startsWith("RecordTooLargeException")
                      .endsWith(
                          "OUT-013: raise max.request.size of the publisher and max.message.bytes"
                              + " of the topic."));
    }
  }

  @Test
  void tooLargeForTheBrokerIsRejectedAloneWithFollowersInFlight() {
    String topic = topic(1, Map.of("max.message.bytes", "2000"));
    List<String> expected = new ArrayList<>();
    try (PublisherClient client = open()) {
      for (int i = 0; i < 300; i++) {
        boolean tooLarge = i == 0 || i == 150;
        String payload = tooLarge ? "x".repeat(3_000) : Integer.toString(i);
        client.publish(i, 1, text(topic, "k", payload));
        if (!tooLarge) {
          expected.add(payload);
        }
      }
      List<Outcome> all = outcomes.awaitAll(0, 299);
      assertThat(IntStream.range(0, 300).filter(i -> !all.get(i).equals(PUBLISHED)))
          .containsExactly(0, 150);
      assertThat(all.get(150))
          .isInstanceOfSatisfying(
              Rejected.class, r -> assertThat(r.kind()).isEqualTo(Rejected.Kind.DEFINITE));
    }
    assertThat(TopicRecords.texts(KAFKA.bootstrapServers(), topic))
        .containsExactlyElementsOf(expected);
  }

  @Test
  void unknownTopicIsToBlameWhileAHealthyOneFlows() {
    String healthy = topic(1, Map.of());
    try (PublisherClient client = open()) {
      client.publish(0, 1, text(healthy, "k", "0"));
      outcomes.await(0);
      for (int i = 1; i <= 2_000; i += 2) {
        client.publish(i, 1, text("no-such-topic", "k" + i, "lost"));
        client.publish(i + 1, 1, text(healthy, "k", Integer.toString(i)));
      }
      List<Outcome> all = outcomes.awaitAll(1, 2_000);
      for (int i = 1; i <= 2_000; i += 2) {
        assertThat(all.get(i - 1))
            .isInstanceOfSatisfying(
                Rejected.class, r -> assertThat(r.kind()).isEqualTo(Rejected.Kind.TOPIC));
        assertThat(all.get(i)).isEqualTo(PUBLISHED);
      }
    }
  }

  @Test
  void topicThatIsCreatedLaterIsFound() {
    String topic = "created-later";
    AtomicInteger position = new AtomicInteger();
    try (PublisherClient client = open()) {
      client.publish(0, 1, text(topic, "k", "0"));
      assertThat(outcomes.await(0)).isInstanceOf(Rejected.class);
      KAFKA.createTopic(topic, 1, Map.of());
      Await.until(
          "the topic is found",
          Duration.ofSeconds(20),
          () -> {
            int next = position.incrementAndGet();
            client.publish(next, 1, text(topic, "k", Integer.toString(next)));
            return outcomes.await(next).equals(PUBLISHED);
          });
    }
    assertThat(TopicRecords.texts(KAFKA.bootstrapServers(), topic))
        .containsExactly(Integer.toString(position.get()));
  }

  @Test
  void deletedTopicDoesNotHoldUpAHealthyOneForLong() {
    String healthy = topic(1, Map.of());
    String doomed = topic(1, Map.of());
    PublisherClient client =
        KafkaPublisher.with(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))
            .open(Duration.ofSeconds(4), outcomes);
    client.publish(1, 1, text(doomed, "k", "1"));
    assertThat(outcomes.await(1)).isEqualTo(PUBLISHED);
    KAFKA.deleteTopic(doomed);
    client.publish(2, 1, text(doomed, "k", "2"));
    // What was on its way when the topic went has an unknown fate; the next client knows better.
    assertThat(outcomes.await(2)).isNotEqualTo(PUBLISHED);
    client.close();
    try (PublisherClient next = open()) {
      next.publish(3, 1, text(doomed, "k", "2"));
      next.publish(4, 1, text(healthy, "k", "3"));
      assertThat(outcomes.await(4)).isEqualTo(PUBLISHED);
      assertThat(outcomes.await(3))
          .isInstanceOfSatisfying(
              Rejected.class, r -> assertThat(r.kind()).isEqualTo(Rejected.Kind.TOPIC));
    }
  }

  @Test
  void messageThatKafkaCannotCarryIsRefusedForEver() {
    String topic = topic(1, Map.of());
    List<Message> bad =
        List.of(
            Message.to("no topic/name", "t").build(),
            Message.to(topic, "t").header("ce_id", "mine").build(),
            Message.to(topic, "t").header("Ce_Sequence", "1").build(),
            Message.to(topic, "t").header("content-type", "application/cloudevents+json").build());
    try (PublisherClient client = open()) {
      for (int i = 0; i < bad.size(); i++) {
        client.publish(i, 1, bad.get(i));
        assertThat(outcomes.await(i))
            .isInstanceOfSatisfying(
                Rejected.class, r -> assertThat(r.kind()).isEqualTo(Rejected.Kind.FINAL));
      }
      client.publish(9, 1, text(topic, "k", "good"));
      assertThat(outcomes.await(9)).isEqualTo(PUBLISHED);
    }
  }

  @Test
  void closeReportsEverythingAndNothingIsSentAfterIt() {
    String topic = topic(1, Map.of());
    PublisherClient client = open(Map.of("linger.ms", 5_000));
    for (int i = 0; i < 100; i++) {
      client.publish(i, 1, text(topic, "k", "never"));
    }
    client.close();
    assertThat(outcomes.inOrder(0, 99)).allMatch(Outcome.Unavailable.class::isInstance);
    client.publish(100, 1, text(topic, "k", "never"));
    assertThat(outcomes.inOrder(100, 100)).allMatch(Outcome.Unavailable.class::isInstance);
    client.close();
    assertThat(TopicRecords.texts(KAFKA.bootstrapServers(), topic)).isEmpty();
  }

  @Test
  void interruptIsKeptAndCloseStillEndsEverything() {
    String topic = topic(1, Map.of());
    PublisherClient client = open(Map.of("linger.ms", 5_000));
    client.publish(1, 1, text(topic, "k", "never"));
    Thread.currentThread().interrupt();
    client.publish(2, 1, text(topic, "k", "never"));
    client.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(outcomes.inOrder(1, 2)).allMatch(Outcome.Unavailable.class::isInstance);
    assertThat(TopicRecords.texts(KAFKA.bootstrapServers(), topic)).isEmpty();
  }

  @Test
  void topicsAreNamedByTheFunction() {
    String topic = topic(1, Map.of());
    try (PublisherClient client =
        KafkaPublisher.with(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))
            .topics(name -> topic)
            .open(DELIVERY, outcomes)) {
      client.publish(1, 1, text("orders", "k", "1"));
      assertThat(outcomes.await(1)).isEqualTo(PUBLISHED);
    }
    assertThat(TopicRecords.texts(KAFKA.bootstrapServers(), topic)).containsExactly("1");
  }

  @Test
  void topicIsChosenForEachMessageByTheFunction() {
    String placed = topic(1, Map.of());
    String paid = topic(1, Map.of());
    Map<String, String> byType = Map.of("placed", placed, "paid", paid, "lost", "is-missing");
    try (PublisherClient client =
        KafkaPublisher.with(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))
            .routing(message -> byType.get(message.type()))
            .open(DELIVERY, outcomes)) {
      List<String> types = List.of("placed", "paid", "lost", "nowhere", "placed", "paid");
      for (int i = 0; i < types.size(); i++) {
        byte[] payload = Integer.toString(i).getBytes(UTF_8);
        client.publish(i, 1, Message.to("orders", types.get(i)).key("k").payload(payload).build());
      }
      assertThat(outcomes.awaitAll(0, 5).stream().filter(PUBLISHED::equals)).hasSize(4);
      assertThat(outcomes.await(2))
          .isInstanceOfSatisfying(
              Rejected.class, r -> assertThat(r.kind()).isEqualTo(Rejected.Kind.SUSPECT));
      assertThat(outcomes.await(3))
          .isInstanceOfSatisfying(
              Rejected.class, r -> assertThat(r.kind()).isEqualTo(Rejected.Kind.FINAL));
    }
    assertThat(TopicRecords.texts(KAFKA.bootstrapServers(), placed)).containsExactly("0", "4");
    assertThat(TopicRecords.texts(KAFKA.bootstrapServers(), paid)).containsExactly("1", "5");
  }
}
