// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Topics that take nothing for want of a replica, at a Kafka that serves all others. */
@Tag("long")
final class TooFewReplicasIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Map<String, String> BOTH = Map.of("min.insync.replicas", "2");
  private static final Map<String, String> ONE = Map.of("min.insync.replicas", "1");
  private static final KafkaBroker KAFKA = KafkaBroker.start();

  @BeforeAll
  static void createTopicsOfTwoNodesAndStopOne() {
    KAFKA.createTopic("beside", 1, Map.of()); // while the node that stays is the only one
    try (KafkaBroker second = KafkaBroker.builder().companionOf(KAFKA).start()) {
      assertThat(second.bootstrapServers()).isNotEqualTo(KAFKA.bootstrapServers());
      KAFKA.createReplicatedTopic("too-few", BOTH);
      KAFKA.createReplicatedTopic("loses-one", ONE);
    }
  }

  @AfterAll
  static void stop() {
    KAFKA.close();
  }

  private static KafkaPublisher publisher() {
    return KafkaPublisher.with(Map.of("bootstrap.servers", KAFKA.bootstrapServers()));
  }

  private static List<String> arrived(String topic) {
    return TopicRecords.texts(KAFKA.bootstrapServers(), topic);
  }

  private static void awaitArrived(String topic, int count) {
    Await.until(
        () -> arrived(topic).size() + " of " + count + " in " + topic,
        PATIENCE,
        () -> arrived(topic).size() >= count);
  }

  /**
   * Others must get through, or else Kafka might be away.
   *
   * @return the number of the last message beside
   */
  private static int awaitBreaker(RelayToKafka relay, String topic, int lastBeside) {
    AtomicInteger last = new AtomicInteger(lastBeside);
    Await.until(
        "the breaker opens",
        PATIENCE,
        () -> {
          relay.append("beside", "good", last.incrementAndGet());
          return !relay.events(RelayEvent.BreakerOpened.class).isEmpty();
        });
    assertThat(relay.events(RelayEvent.BreakerOpened.class).get(0).reason())
        .contains("topic " + topic + " ", "min.insync.replicas");
    return last.get();
  }

  @Test
  void topicWithoutEnoughReplicasHoldsItselfAloneAndComesBack() {
    int before = arrived("beside").size();
    try (RelayToKafka relay = new RelayToKafka(publisher()).start()) {
      for (int i = 1; i <= 50; i++) {
        relay.append("too-few", "k" + i % 5, i);
        relay.append("beside", "good", i);
      }
      awaitArrived("beside", before + 50);
      int last = awaitBreaker(relay, "too-few", 50);
      awaitArrived("beside", before + last);
      int outages = relay.events(RelayEvent.OutageBegan.class).size();
      for (int i = last + 1; i <= last + 20; i++) {
        relay.append("beside", "good", i);
        awaitArrived("beside", before + i);
      }
      assertThat(relay.events(RelayEvent.OutageBegan.class)).hasSize(outages);
      KAFKA.configureTopic("too-few", ONE);
      awaitArrived("too-few", 50);
      assertThat(relay.events(RelayEvent.Parked.class)).isEmpty();
      TopicRecords.assertKeysInOrder(KAFKA.bootstrapServers(), "too-few");
    }
  }

  @Test
  void topicThatLosesReplicasInTheMiddleHoldsItselfAloneAndKeepsItsOrder() {
    int before = arrived("beside").size();
    try (RelayToKafka relay = new RelayToKafka(publisher()).start()) {
      IntStream.rangeClosed(1, 50).forEach(i -> relay.append("loses-one", "k" + i % 5, i));
      awaitArrived("loses-one", 50);
      KAFKA.configureTopic("loses-one", BOTH);
      for (int i = 51; i <= 100; i++) {
        relay.append("loses-one", "k" + i % 5, i);
        relay.append("beside", "good", i);
      }
      awaitArrived("beside", before + 50);
      awaitBreaker(relay, "loses-one", 100);
      KAFKA.configureTopic("loses-one", ONE);
      awaitArrived("loses-one", 100);
      assertThat(relay.events(RelayEvent.Parked.class)).isEmpty();
      TopicRecords.assertKeysInOrder(KAFKA.bootstrapServers(), "loses-one");
    }
  }
}
