// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.servers.Await;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client makes of the answers when it asks for topics. */
final class LookupsTest {

  private final SettableClock clock = new SettableClock();
  private final ReportedOutcomes outcomes = new ReportedOutcomes();
  private final List<Set<String>> questions = new CopyOnWriteArrayList<>();
  private final FullAtFirst producer = new FullAtFirst();
  private final KafkaPublisherClient client =
      KafkaPublisherClient.open(
          new Known("known"),
          new ProducerOnDemand(() -> producer),
          outcomes,
          KafkaBinding.writer("/shop"),
          new TopicRules(
              TopicRouting.byTopic(UnaryOperator.identity()),
              clock,
              DeliveryTimes.within(Duration.ofMinutes(1)),
              "broker:9092"));

  /** Answers for one topic, and for no other. */
  private final class Known implements TopicDirectory {

    private final String known;

    Known(String known) {
      this.known = known;
    }

    @Override
    public Map<String, CompletionStage<Integer>> ask(Set<String> names) {
      questions.add(names);
      return names.stream().collect(Collectors.toMap(name -> name, this::answer));
    }

    private CompletionStage<Integer> answer(String name) {
      return name.equals(known)
          ? CompletableFuture.completedFuture(1)
          : CompletableFuture.failedFuture(new TimeoutException("nobody there"));
    }

    @Override
    public void close() {
      // There is nothing to end.
    }
  }

  /** Has no room for the first three tries. */
  private static final class FullAtFirst extends MockProducer<byte[], byte[]> {

    private int tries;

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
      Node[] nodes = {new Node(1, "localhost", 1)};
      return List.of(new PartitionInfo(topic, 0, nodes[0], nodes, nodes));
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> message, Callback callback) {
      if (++tries <= 3) {
        callback.onCompletion(null, new BufferExhaustedException("no room"));
      } else {
        callback.onCompletion(null, null);
      }
      return new CompletableFuture<>();
    }
  }

  @AfterEach
  void close() {
    client.close();
  }

  private Outcome outcome(long position, String topic) {
    client.publish(position, 1, Message.to(topic, "t").build());
    return outcomes.await(position);
  }

  @Test
  void nothingWasSentWhereThereIsNoProducer() {
    assertThat(outcome(1, "other"))
        .isEqualTo(
            Outcome.unreachable(
                "no answer from Kafka at broker:9092; check bootstrap.servers, and whether the"
                    + " brokers can be reached from here: "
                    + new TimeoutException("nobody there")));
  }

  @Test
  void clientWithAProducerEndsWhereNobodyAnswers() {
    assertThat(outcome(1, "known")).isEqualTo(Outcome.PUBLISHED);
    assertThat(outcome(2, "other"))
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class, o -> assertThat(o.isFateKnown()).isFalse());
  }

  @Test
  void clientEndsAfterAMinuteWithoutAnAnswer() {
    outcome(1, "other");
    clock.advance(Duration.ofSeconds(61));
    assertThat(outcome(2, "other"))
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class, o -> assertThat(o.isFateKnown()).isFalse());
  }

  @Test
  void roomInTheBufferIsWaitedFor() {
    assertThat(outcome(1, "known")).isEqualTo(Outcome.PUBLISHED);
    assertThat(producer.tries).isEqualTo(4);
  }

  @Test
  void aTopicIsAskedForOnceHoweverManyMessagesWait() {
    for (int position = 1; position <= 100; position++) {
      client.publish(position, 1, Message.to("known", "t").build());
    }
    Await.until("all are published", Duration.ofSeconds(10), () -> outcomes.count() == 100);
    assertThat(questions).containsExactly(Set.of("known"));
  }
}
