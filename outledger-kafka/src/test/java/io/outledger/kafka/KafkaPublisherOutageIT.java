// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.publish.Outcome.PUBLISHED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KafkaPublisherOutageIT {

  private static final Duration DELIVERY = Duration.ofSeconds(3);
  private static final String TOPIC = "frozen";

  private final KafkaProcess kafka = KafkaProcess.start();

  @BeforeAll
  void createTopic() {
    kafka.createTopic(TOPIC, 1, Map.of());
  }

  @AfterAll
  void close() {
    kafka.close();
  }

  private PublisherClient open(ReportedOutcomes outcomes) {
    return KafkaPublisher.with(Map.of("bootstrap.servers", kafka.bootstrapServers()))
        .open(DELIVERY, outcomes);
  }

  private static Message text(long payload) {
    return Message.to(TOPIC, "t").key("k").payload(Long.toString(payload).getBytes(UTF_8)).build();
  }

  /** Sends everything again, in order, by a new client, as a relay does, until all is published. */
  private void publishAll(long first, long last) {
    Await.until(
        "everything is published",
        Duration.ofSeconds(60),
        () -> {
          ReportedOutcomes outcomes = new ReportedOutcomes();
          try (PublisherClient client = open(outcomes)) {
            LongStream.rangeClosed(first, last).forEach(i -> client.publish(i, 1, text(i)));
            return outcomes.awaitAll(first, last).stream().allMatch(PUBLISHED::equals);
          }
        });
  }

  private List<Long> firstDeliveries() {
    return TopicRecords.texts(kafka.bootstrapServers(), TOPIC).stream()
        .map(Long::valueOf)
        .distinct()
        .toList();
  }

  @Test
  void frozenBrokerIsUnavailableWithinTheDeliveryTimeAndNothingIsSentAfterClose() {
    ReportedOutcomes outcomes = new ReportedOutcomes();
    PublisherClient client = open(outcomes);
    client.publish(1, 1, text(1));
    assertThat(outcomes.await(1)).isEqualTo(PUBLISHED);
    kafka.suspend();
    LongStream.rangeClosed(2, 20_000).forEach(i -> client.publish(i, 1, text(i)));
    // Waited for a quarter of the time that Kafka's producer would take by itself.
    assertThat(outcomes.await(2)).isInstanceOf(Outcome.Unavailable.class);
    client.close();
    assertThat(outcomes.inOrder(2, 20_000)).allMatch(Outcome.Unavailable.class::isInstance);
    kafka.resume();
    // What the client had written before its close the broker finds in its socket: the first ones.
    List<String> late = TopicRecords.texts(kafka.bootstrapServers(), TOPIC);
    assertThat(late).hasSizeLessThan(20_000);
    assertThat(late.stream().map(Long::valueOf)).containsExactlyElementsOf(range(1, late.size()));
    publishAll(2, 20_000);
    assertThat(firstDeliveries()).containsExactlyElementsOf(range(1, 20_000));
  }

  private static List<Long> range(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }
}
