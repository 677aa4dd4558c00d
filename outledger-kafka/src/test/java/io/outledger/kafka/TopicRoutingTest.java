// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.publish.Outcome.PUBLISHED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.servers.Await;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of messages by what the user's function says of their topic in Kafka. */
final class TopicRoutingTest {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final ReportedOutcomes outcomes = new ReportedOutcomes();
  private final OnePartition producer = new OnePartition();
  private KafkaPublisherClient client = open(new TopicRouting(Message::type, false));

  /** Knows every topic, each with one partition, and answers when it is told to. */
  private static final class OnePartition extends MockProducer<byte[], byte[]> {

    OnePartition() {
      super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
      Node[] nodes = {new Node(1, "localhost", 1)};
      return List.of(new PartitionInfo(topic, 0, nodes[0], nodes, nodes));
    }
  }

  /** Answers its first question, and no other; there is no topic {@code missing}. */
  private static final class FirstAlone implements TopicDirectory {

    private final AtomicBoolean hasAnswered = new AtomicBoolean();

    @Override
    public Map<String, CompletionStage<Integer>> ask(Set<String> names) {
      boolean answers = !hasAnswered.getAndSet(true);
      return names.stream().collect(Collectors.toMap(name -> name, name -> answer(name, answers)));
    }

    private static CompletionStage<Integer> answer(String name, boolean answers) {
      if (name.equals("missing")) {
        return CompletableFuture.failedFuture(new UnknownTopicOrPartitionException("planted"));
      }
      return answers ? CompletableFuture.completedFuture(1) : new CompletableFuture<>();
    }

    @Override
    public void close() {
      // There is nothing to end.
    }
  }

  private KafkaPublisherClient open(TopicRouting routing) {
    return KafkaPublisherClient.open(
        new FirstAlone(),
        new ProducerOnDemand(() -> producer),
        outcomes,
        KafkaBinding.writer("/shop"),
        new TopicRules(
            routing, new SettableClock(), DeliveryTimes.within(Duration.ofMinutes(1)), "mock"));
  }

  private void reopen(TopicRouting routing) {
    client.close();
    client = open(routing);
  }

  @AfterEach
  void close() {
    client.close();
  }

  private void publish(long position, String topic, String type) {
    byte[] payload = Long.toString(position).getBytes(UTF_8);
    client.publish(position, 1, Message.to(topic, type).key("k").payload(payload).build());
  }

  private void awaitSent(String... payloads) {
    Await.until(() -> "sent: " + sent(), PATIENCE, () -> sent().equals(List.of(payloads)));
  }

  private List<String> sent() {
    return producer.history().stream().map(each -> new String(each.value(), UTF_8)).toList();
  }

  private void assertRejected(long position, Rejected.Kind kind, String... reason) {
    assertThat(outcomes.await(position))
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected -> {
              assertThat(rejected.kind()).isEqualTo(kind);
              assertThat(rejected.reason()).contains(reason);
            });
  }

  /** The second topic's first message would be looked up while the first one's goes straight. */
  @Test
  void keyKeepsItsOrderWhereTwoTopicsAreOneInKafka() {
    reopen(TopicRouting.byTopic(name -> "all"));
    publish(1, "orders", "t");
    awaitSent("1");
    assertThat(producer.completeNext()).isTrue();
    assertThat(outcomes.await(1)).isEqualTo(PUBLISHED);
    publish(2, "payments", "t");
    publish(3, "orders", "t");
    publish(4, "payments", "t");
    awaitSent("1", "2", "3", "4");
  }

  @Test
  void functionThatFailsCostsItsMessageAlone() {
    Map<String, Function<Message, String>> bad =
        Map.of(
            "null",
            message -> null,
            "invalid",
            message -> "no topic/name",
            "throws",
            message -> {
              throw new IllegalStateException("no tenant");
            },
            "error",
            message -> {
              throw new StackOverflowError("deep");
            });
    reopen(
        new TopicRouting(
            message -> bad.getOrDefault(message.type(), Message::topic).apply(message), false));
    publish(1, "orders", "null");
    publish(2, "orders", "invalid");
    publish(3, "orders", "throws");
    publish(4, "orders", "error");
    publish(5, "orders", "good");
    assertRejected(1, Rejected.Kind.FINAL, "chooses the Kafka topic", "returned null", "orders");
    assertRejected(2, Rejected.Kind.FINAL, "'no topic/name' is not a valid Kafka topic name");
    assertRejected(3, Rejected.Kind.FINAL, "chooses the Kafka topic", "no tenant");
    assertRejected(4, Rejected.Kind.FINAL, "chooses the Kafka topic", "deep");
    awaitSent("5");
  }

  @Test
  void missingTopicIsNotTheFaultOfTheMessagesOwn() {
    publish(1, "orders", "missing");
    assertRejected(1, Rejected.Kind.SUSPECT, "Create the topic");
  }

  @Test
  void missingTopicIsTheFaultOfTheOneThatItStandsFor() {
    reopen(TopicRouting.byTopic(name -> "missing"));
    publish(1, "orders", "t");
    assertRejected(1, Rejected.Kind.TOPIC, "Create the topic");
  }
}
