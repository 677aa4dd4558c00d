// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.publish.Outcome.PUBLISHED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.servers.Await;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Kafka's own mock of a producer answers when it is told to. */
final class FirstMessageTest {

  private static final String TOPIC = "orders";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final SettableClock clock = new SettableClock();
  private final ReportedOutcomes outcomes = new ReportedOutcomes();
  private final MockProducer<byte[], byte[]> producer = producer();
  private final KafkaPublisherClient client =
      KafkaPublisherClient.open(
          new KnownTopics(2),
          new ProducerOnDemand(() -> producer),
          outcomes,
          KafkaBinding.writer("/shop"),
          new TopicRules(
              TopicRouting.byTopic(UnaryOperator.identity()),
              clock,
              DeliveryTimes.within(Duration.ofMinutes(1)),
              "mock"));

  private static MockProducer<byte[], byte[]> producer() {
    Node node = new Node(1, "localhost", 1);
    Node[] nodes = {node};
    List<PartitionInfo> partitions =
        IntStream.range(0, 2)
            .mapToObj(number -> new PartitionInfo(TOPIC, number, node, nodes, nodes))
            .toList();
    Cluster cluster = new Cluster("mock", List.of(node), partitions, Set.of(), Set.of());
    return new MockProducer<>(
        cluster,
        false,
        new RoundRobinPartitioner(),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  @AfterEach
  void close() {
    client.close();
  }

  // "a" and "c" are of one partition, "d" is of the other one.
  private void publish(long position, String key) {
    client.publish(
        position, 1, Message.to(TOPIC, "t").key(key).payload(key.getBytes(UTF_8)).build());
  }

  private List<String> sent() {
    return producer.history().stream().map(sent -> new String(sent.value(), UTF_8)).toList();
  }

  private void awaitSent(String... keys) {
    Await.until(() -> "sent: " + sent(), PATIENCE, () -> sent().equals(List.of(keys)));
  }

  @Test
  void waitsForItsAcknowledgementAndThenAllGo() {
    publish(1, "a");
    publish(2, "c");
    publish(3, "a");
    awaitSent("a");
    assertThat(producer.completeNext()).isTrue();
    awaitSent("a", "c", "a");
    publish(4, "c");
    assertThat(sent()).containsExactly("a", "c", "a", "c");
  }

  @Test
  void doesNotHoldUpAnotherPartition() {
    publish(1, "a");
    publish(2, "c");
    publish(3, "d");
    awaitSent("a", "d");
  }

  @Test
  void isFollowedByTheNextOneAloneWhereItIsRejected() {
    publish(1, "a");
    publish(2, "c");
    publish(3, "a");
    awaitSent("a");
    assertThat(producer.errorNext(new RecordTooLargeException("planted"))).isTrue();
    awaitSent("a", "c");
    assertThat(producer.completeNext()).isTrue();
    awaitSent("a", "c", "a");
    assertThat(outcomes.await(1)).isInstanceOf(Rejected.class);
    assertThat(outcomes.await(2)).isEqualTo(PUBLISHED);
  }

  @Test
  void takesAllThatWaitWithItWhereTheTopicIsForbidden() {
    publish(1, "a");
    publish(2, "c");
    publish(3, "a");
    awaitSent("a");
    assertThat(producer.errorNext(new TopicAuthorizationException(TOPIC))).isTrue();
    assertThat(outcomes.awaitAll(1, 3)).allMatch(Rejected.class::isInstance);
    assertThat(sent()).containsExactly("a");
  }

  @Test
  void isTheDestinationsMatterWhereTheProducerHasForgottenTheTopic() {
    producer.sendException = new TimeoutException("Topic orders not present in metadata");
    publish(1, "a");
    assertThat(outcomes.await(1))
        .isEqualTo(Outcome.unavailable("no metadata yet from Kafka at mock"));
    assertThat(sent()).isEmpty();
  }

  @Test
  void goesAloneAgainAfterALongSilence() {
    publish(1, "a");
    publish(2, "c");
    publish(3, "a");
    awaitSent("a");
    assertThat(producer.completeNext()).isTrue();
    awaitSent("a", "c", "a"); // two go together: the partition is open
    assertThat(producer.completeNext()).isTrue();
    assertThat(producer.completeNext()).isTrue();
    assertThat(outcomes.awaitAll(1, 3)).containsOnly(PUBLISHED);
    clock.advance(Duration.ofHours(1));
    publish(10, "a");
    publish(11, "c");
    awaitSent("a", "c", "a", "a");
    assertThat(producer.completeNext()).isTrue();
    awaitSent("a", "c", "a", "a", "c");
  }

  @Test
  void isLeftBehindByNoneWhereItsFateIsUnknown() {
    publish(1, "a");
    publish(2, "c");
    awaitSent("a");
    client.close();
    assertThat(outcomes.awaitAll(1, 2)).noneMatch(PUBLISHED::equals);
    assertThat(sent()).containsExactly("a");
  }
}
