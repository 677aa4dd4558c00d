// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.publish.Outcome.PUBLISHED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import io.outledger.servers.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Faults of the line between the publisher and the broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
final class KafkaPublisherLineIT {

  private static final Duration DELIVERY = Duration.ofSeconds(3);

  private final ProxiedKafka kafka = ProxiedKafka.start();

  @AfterEach
  void mendTheLine() {
    kafka.line.pass();
  }

  @AfterAll
  void close() {
    kafka.close();
  }

  private PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return KafkaPublisher.with(Map.of("bootstrap.servers", kafka.bootstrapServers()))
        .open(deliveryTimeMax, outcomes);
  }

  private static Message text(String topic, long payload) {
    return Message.to(topic, "t").key("k").payload(Long.toString(payload).getBytes(UTF_8)).build();
  }

  private List<Long> arrivals(String topic) {
    return TopicRecords.texts(kafka.bootstrapServers(), topic).stream().map(Long::valueOf).toList();
  }

  @Test
  void nothingFollowsAMessageOfUnknownFate() {
    kafka.broker.createTopic("unknown-fate", 1, Map.of());
    ReportedOutcomes outcomes = new ReportedOutcomes();
    Outcomes healing =
        (position, outcome) -> {
          outcomes.report(position, outcome);
          if (position == 2) {
            kafka.line.pass(); // the broker is back the moment the message is given up
          }
        };
    // Each message in a batch of its own, and a client that is back as soon as the broker is.
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", kafka.bootstrapServers(),
            "batch.size", 1,
            "metadata.recovery.strategy", "none",
            "reconnect.backoff.max.ms", 50,
            "retry.backoff.max.ms", 100);
    Duration delivery = Duration.ofSeconds(6);
    try (PublisherClient client = KafkaPublisher.with(settings).open(delivery, healing)) {
      client.publish(1, 1, text("unknown-fate", 1));
      assertThat(outcomes.await(1)).isEqualTo(PUBLISHED);
      kafka.line.refuse();
      client.publish(2, 1, text("unknown-fate", 2));
      long start = System.nanoTime();
      Await.until(
          "the next message has time left when this one has none",
          delivery,
          () -> System.nanoTime() - start > delivery.toNanos() / 4);
      client.publish(3, 1, text("unknown-fate", 3));
      assertThat(outcomes.awaitAll(2, 3)).allMatch(Outcome.Unavailable.class::isInstance);
    }
    assertThat(arrivals("unknown-fate")).containsExactly(1L);
  }

  @Test
  void silenceBeforeTheFirstAcknowledgementIsToldWithinTheDeliveryTime() {
    kafka.broker.createTopic("silence", 1, Map.of());
    for (int requests = 1; requests <= 12; requests++) {
      ReportedOutcomes outcomes = new ReportedOutcomes();
      long start = System.nanoTime();
      try (PublisherClient client = open(Duration.ofSeconds(1), outcomes)) {
        client.publish(1, 1, text("silence", 1));
        int silentAfter = requests;
        Await.until("it connects", DELIVERY, () -> kafka.line.connectionCount() > 0);
        // A little later each time, so that it falls silent in another request of the hand-shake.
        Await.until(
            "a few ms", DELIVERY, () -> System.nanoTime() - start > silentAfter * 4_000_000L);
        kafka.line.swallowReplies();
        outcomes.await(1); // Kafka's producer alone would never tell
      }
      kafka.line.pass();
    }
  }

  @Test
  void lostRepliesAreAnUnknownFateAndAreSentAgainInOrder() {
    kafka.broker.createTopic("lost-replies", 1, Map.of());
    ReportedOutcomes lost = new ReportedOutcomes();
    try (PublisherClient client = open(Duration.ofSeconds(5), lost)) {
      client.publish(0, 1, text("lost-replies", 0));
      assertThat(lost.await(0)).isEqualTo(PUBLISHED);
      kafka.line.swallowReplies();
      LongStream.rangeClosed(1, 200).forEach(i -> client.publish(i, 1, text("lost-replies", i)));
      assertThat(lost.awaitAll(1, 200)).allMatch(Outcome.Unavailable.class::isInstance);
    }
    kafka.line.pass();
    ReportedOutcomes again = new ReportedOutcomes();
    try (PublisherClient client = open(Duration.ofSeconds(30), again)) {
      LongStream.rangeClosed(1, 200).forEach(i -> client.publish(i, 1, text("lost-replies", i)));
      assertThat(again.awaitAll(1, 200)).containsOnly(PUBLISHED);
    }
    List<Long> arrivals = arrivals("lost-replies");
    assertThat(arrivals.stream().distinct())
        .containsExactlyElementsOf(LongStream.rangeClosed(0, 200).boxed().toList());
    assertThat(arrivals).hasSizeLessThanOrEqualTo(401);
  }

  @Test
  void whateverHappensToTheLineNothingIsLostOrReordered() {
    kafka.broker.createTopic("faults", 1, Map.of());
    long seed = 20261121;
    Random random = new Random(seed);
    TreeSet<Long> unsettled = new TreeSet<>(LongStream.rangeClosed(1, 6_000).boxed().toList());
    int idle = 0;
    while (!unsettled.isEmpty()) {
      int before = unsettled.size();
      sendWithFaults(List.copyOf(unsettled.headSet(unsettled.first() + 1_000)), random, unsettled);
      kafka.line.pass();
      idle += unsettled.size() < before ? 0 : 1;
      assertThat(idle).as("rounds for nothing with seed " + seed).isLessThan(60);
    }
    assertThat(arrivals("faults").stream().distinct())
        .as("first arrivals with seed " + seed)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 6_000).boxed().toList());
  }

  /** One client's life: what it did not publish is left to the next, as a relay leaves it. */
  private void sendWithFaults(List<Long> positions, Random random, Set<Long> unsettled) {
    ReportedOutcomes outcomes = new ReportedOutcomes();
    int faultAt = random.nextInt(positions.size());
    try (PublisherClient client = open(Duration.ofSeconds(3), outcomes)) {
      for (int i = 0; i < positions.size(); i++) {
        if (i == faultAt) {
          fault(random.nextInt(5));
        }
        client.publish(positions.get(i), 1, text("faults", positions.get(i)));
      }
      outcomes.awaitAll(positions.get(0), positions.get(0));
      outcomes.awaitAll(positions.get(positions.size() - 1), positions.get(positions.size() - 1));
    }
    for (long position : positions) {
      if (outcomes.inOrder(position, position).get(0).equals(PUBLISHED)) {
        unsettled.remove(position);
      }
    }
  }

  private void fault(int which) {
    switch (which) {
      case 0 -> kafka.line.cut();
      case 1 -> kafka.line.refuse();
      case 2 -> kafka.line.swallowRequests();
      case 3 -> kafka.line.swallowReplies();
      default -> kafka.line.delay(Duration.ofMillis(30));
    }
  }
}
