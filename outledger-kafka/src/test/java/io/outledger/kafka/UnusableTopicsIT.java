// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Topics that are missing or forbidden are nobody's fault but their own. */
final class UnusableTopicsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final KafkaBroker KAFKA = KafkaBroker.builder().account("shop", "secret").start();

  @AfterAll
  static void stop() {
    KAFKA.close();
  }

  private static KafkaPublisher publisher() {
    return KafkaPublisher.with(Map.of("bootstrap.servers", KAFKA.bootstrapServers()));
  }

  private static KafkaPublisher publisherOfShop() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", KAFKA.securedServers());
    settings.put("security.protocol", "SASL_PLAINTEXT");
    settings.put("sasl.mechanism", "PLAIN");
    settings.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"shop\""
            + " password=\"secret\";");
    return KafkaPublisher.with(settings);
  }

  private static List<String> arrived(String topic) {
    return TopicRecords.texts(KAFKA.bootstrapServers(), topic);
  }

  private static void awaitArrived(String topic, int count, Duration patience) {
    Await.until(
        () -> arrived(topic).size() + " of " + count + " in " + topic,
        patience,
        () -> arrived(topic).size() >= count);
  }

  @Test
  void thousandsOfMissingTopicsHoldUpNoThreadAndNoTopicThatExists() {
    int missing = 2_000;
    KAFKA.createTopic("among-missing", 1, Map.of());
    ReportedOutcomes outcomes = new ReportedOutcomes();
    try (PublisherClient client = publisher().open(Duration.ofSeconds(5), outcomes)) {
      long started = System.nanoTime();
      for (int i = 1; i <= missing; i++) {
        client.publish(i, 1, Message.to("missing-" + i, "t").key("k" + i).build());
      }
      client.publish(
          0, 1, Message.to("among-missing", "t").payload("good".getBytes(UTF_8)).build());
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(20));
      assertThat(outcomes.await(0)).isEqualTo(Outcome.PUBLISHED);
      assertThat(outcomes.awaitAll(1, missing))
          .allSatisfy(
              outcome ->
                  assertThat(outcome).extracting("kind").isEqualTo(Outcome.Rejected.Kind.TOPIC));
    }
  }

  @Test
  void relayKeepsItsLeaseAndItsPaceBesideMissingTopics() {
    KAFKA.createTopic("beside-missing", 1, Map.of());
    try (RelayToKafka relay = new RelayToKafka(publisher())) {
      for (int i = 1; i <= 400; i++) {
        relay.append("absent-" + i, "k" + i, i);
        if (i % 4 == 0) {
          relay.append("beside-missing", "good", i);
        }
      }
      relay.start();
      awaitArrived("beside-missing", 100, PATIENCE);
      assertThat(relay.events(RelayEvent.LeaseLost.class)).isEmpty();
      assertThat(relay.events(RelayEvent.OutageBegan.class)).isEmpty();
      assertThat(relay.parked()).isEmpty();
    }
  }

  @Test
  void missingTopicWithFewKeysSpendsNoAttemptsAndComesBackWithinSeconds() {
    try (RelayToKafka relay = new RelayToKafka(publisher()).start()) {
      IntStream.rangeClosed(1, 50).forEach(i -> relay.append("missing-a-while", "k" + i % 5, i));
      Await.until(
          "the breaker opens",
          PATIENCE,
          () -> relay.events(RelayEvent.BreakerOpened.class).size() == 1);
      assertThat(relay.events(RelayEvent.BreakerOpened.class).get(0).reason())
          .contains("UnknownTopicOrPartition");
      KAFKA.createTopic("missing-a-while", 2, Map.of());
      awaitArrived("missing-a-while", 50, PATIENCE);
      assertThat(relay.events(RelayEvent.Parked.class)).isEmpty();
      assertThat(relay.events(RelayEvent.OvertakenByKey.class)).isEmpty();
      TopicRecords.assertKeysInOrder(KAFKA.bootstrapServers(), "missing-a-while");
    }
  }

  @Test
  void forbiddenTopicSpendsNoAttemptsAndComesBackWithinSeconds() {
    KAFKA.createTopic("forbidden", 2, Map.of());
    try (RelayToKafka relay = new RelayToKafka(publisherOfShop()).start()) {
      IntStream.rangeClosed(1, 300).forEach(i -> relay.append("forbidden", "k" + i % 3, i));
      Await.until(
          "the breaker opens",
          PATIENCE,
          () -> !relay.events(RelayEvent.BreakerOpened.class).isEmpty());
      KAFKA.allow("shop", "forbidden");
      awaitArrived("forbidden", 300, PATIENCE);
      assertThat(relay.events(RelayEvent.Parked.class)).isEmpty();
      TopicRecords.assertKeysInOrder(KAFKA.bootstrapServers(), "forbidden");
    }
  }
}
