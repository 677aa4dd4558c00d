// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.servers.KafkaBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;

/**
 * A broker that has just heard of a topic refuses the first request and may take the second, which
 * a Kafka before 4.5 then lets stand: the first never gets in (KAFKA-15591).
 */
@Tag("long")
final class NewTopicIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();
  private static final int MESSAGES = 600;

  @RepeatedTest(20)
  void firstMessagesOfATopicArriveInOrder(RepetitionInfo info) {
    String topic = "new-" + info.getCurrentRepetition();
    ReportedOutcomes outcomes = new ReportedOutcomes();
    Map<String, Object> settings =
        Map.of("bootstrap.servers", KAFKA.bootstrapServers(), "batch.size", 200);
    try (PublisherClient client =
        KafkaPublisher.with(settings).open(Duration.ofSeconds(20), outcomes)) {
      KAFKA.createTopic(topic, 4, Map.of());
      for (int i = 0; i < MESSAGES; i++) {
        byte[] payload = Integer.toString(i).getBytes(UTF_8);
        client.publish(i, 1, Message.to(topic, "t").key("k" + i % 20).payload(payload).build());
      }
      assertThat(outcomes.awaitAll(0, MESSAGES - 1)).containsOnly(Outcome.PUBLISHED);
    }
    List<Integer> arrived =
        TopicRecords.texts(KAFKA.bootstrapServers(), topic).stream().map(Integer::valueOf).toList();
    assertThat(arrived).hasSize(MESSAGES);
    IntStream.range(0, 20)
        .forEach(key -> assertThat(arrived.stream().filter(i -> i % 20 == key)).isSorted());
  }
}
