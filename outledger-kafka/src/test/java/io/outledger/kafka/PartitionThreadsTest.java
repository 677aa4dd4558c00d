// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Messages come from the relay's thread, answers from the producer's, and what waited is handed
 * over on a third. The seed says where each thread gives way; the processor has the last word. The
 * model checker that tries the core's threads cannot run Kafka's classes.
 */
final class PartitionThreadsTest {

  private static final int MESSAGES = 12;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ExecutorService kafka = Executors.newSingleThreadExecutor();
  private final ReportedOutcomes outcomes = new ReportedOutcomes();

  @AfterEach
  void stop() {
    kafka.shutdownNow();
  }

  @RepeatedTest(200)
  void firstGoesAloneAndNoneIsLeftBehindOrOvertaken(RepetitionInfo repetition) {
    int seed = repetition.getCurrentRepetition();
    AnsweringProducer producer = new AnsweringProducer(new Random(seed), seed % 4);
    Future<Integer> answered = kafka.submit(() -> producer.answer(MESSAGES));
    KafkaPublisherClient client = open(producer);
    try {
      publishAll(client, new Random(-seed));
      assertThat(answered).as("seed %d: sent %s", seed, producer.sent()).succeedsWithin(PATIENCE);
      assertThat(producer.sent())
          .as("seed %d", seed)
          .isEqualTo(IntStream.rangeClosed(1, MESSAGES).boxed().toList());
      assertThat(producer.sentBesideTheFirst()).as("seed %d", seed).isEmpty();
      List<Outcome> told = outcomes.awaitAll(1, MESSAGES);
      assertThat(told.stream().filter(Outcome.PUBLISHED::equals)).hasSize(MESSAGES - seed % 4);
    } finally {
      client.close();
    }
  }

  private KafkaPublisherClient open(AnsweringProducer producer) {
    return KafkaPublisherClient.open(
        new KnownTopics(1),
        new ProducerOnDemand(() -> producer),
        outcomes,
        KafkaBinding.writer("/shop"),
        new TopicRules(
            TopicRouting.byTopic(UnaryOperator.identity()),
            new SettableClock(),
            DeliveryTimes.within(Duration.ofHours(1)),
            "mock"));
  }

  private static void publishAll(KafkaPublisherClient client, Random chance) {
    for (int position = 1; position <= MESSAGES; position++) {
      client.publish(
          position, 1, Message.to("orders", "t").key("k").payload(new byte[position]).build());
      AnsweringProducer.giveWay(chance);
    }
  }
}
