// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.InboxRetention;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.receive.ReceiverOptions;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.testing.InMemoryReceiverStore;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Consumers of JetStream that others made or removed, and choices of the receiver. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NatsReceiverIT {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ProxiedNats nats = ProxiedNats.start("");

  @BeforeAll
  void createStream() throws Exception {
    nats.createStream("shop", "shop.>");
  }

  @AfterEach
  void stopCapturing() {
    CapturedLog.stop();
  }

  @AfterAll
  void close() {
    nats.close();
  }

  private void createConsumer(ConsumerConfiguration.Builder consumer) throws Exception {
    var unused =
        nats.ask(
            connection ->
                connection.jetStreamManagement().addOrUpdateConsumer("shop", consumer.build()));
  }

  private void publish(String topic, int count) {
    try (Sender sender = new Sender(NatsPublisher.with(nats.options()), PATIENCE)) {
      List<Message> messages =
          IntStream.range(0, count).mapToObj(i -> Message.to(topic, "t").build()).toList();
      assertThat(sender.sendAll(messages)).containsOnly(Outcome.PUBLISHED);
    }
  }

  private void assertRefused(String durable, String remedy) {
    CapturedLog.start();
    try (RunningReceiver receiver =
        NatsReceiver.of(nats.options(), "shop", durable).start(batch -> {})) {
      Await.until("it says what to do", PATIENCE, () -> CapturedLog.has(remedy));
      assertThat(receiver.isRunning()).isTrue();
    }
  }

  @Test
  void consumerThatWouldLoseMessagesOrOrderIsRefused() throws Exception {
    createConsumer(ConsumerConfiguration.builder().durable("loses").maxDeliver(3).maxAckPending(1));
    assertRefused("loses", "set its max_deliver to -1");
    createConsumer(ConsumerConfiguration.builder().durable("silent").ackPolicy(AckPolicy.None));
    assertRefused("silent", "set its ack_policy to explicit");
    createConsumer(ConsumerConfiguration.builder().durable("mixes").maxAckPending(100));
    assertRefused("mixes", "set its max_ack_pending to 1");
  }

  @Test
  void inboxThatForgetsSoonerThanTheStreamIsToldOrAnErrorByChoice() throws Exception {
    nats.createStream(
        StreamConfiguration.builder()
            .name("month")
            .subjects("month.>")
            .maxAge(Duration.ofDays(30)));
    InMemoryReceiverStore store =
        new InMemoryReceiverStore("stock", TimeSource.system(), (message, attempt) -> {});
    store.retention(InboxRetention.DEFAULT);
    String told =
        "OUT-018 the inbox forgets ids after 14 days, but stream month (max_age) may deliver a"
            + " message again for 30 days";
    NatsReceiver receiver = NatsReceiver.of(nats.options(), "month", "stock");
    CapturedLog.start();
    try (RunningReceiver running = receiver.start(store.handler())) {
      Await.until("it says so", PATIENCE, () -> CapturedLog.has(told));
      assertThat(running.isRunning()).isTrue();
    }
    NatsReceiver strict = receiver.options(ReceiverOptions.DEFAULT.withRetentionRequired());
    try (RunningReceiver running = strict.start(store.handler())) {
      Await.until("it ends", PATIENCE, () -> !running.isRunning());
      assertThat(running.failure()).hasMessageStartingWith(told);
    }
  }

  @Test
  void missingStreamIsWaitedFor() throws Exception {
    List<Received> received = new CopyOnWriteArrayList<>();
    CapturedLog.start();
    try (RunningReceiver receiver =
        NatsReceiver.of(nats.options(), "later", "stock").start(received::addAll)) {
      Await.until("it says so", PATIENCE, () -> CapturedLog.has("stream not found"));
      nats.createStream("later", "later.>");
      publish("later.a", 1);
      Await.until("it arrives", PATIENCE, () -> received.size() == 1);
      assertThat(receiver.isRunning()).isTrue();
    }
    // The stream keeps one order for all its subjects, so a key is one of the stream's.
    assertThat(received.get(0).keySpace()).isEqualTo("later");
    assertThat(received.get(0).origin()).isEqualTo("later.a");
  }

  @Test
  void consumerThatWasDeletedIsCreatedAgain() throws Exception {
    List<Received> received = new CopyOnWriteArrayList<>();
    try (RunningReceiver receiver =
        NatsReceiver.of(nats.options(), "shop", "deleted")
            .subjects("shop.deleted")
            .start(received::addAll)) {
      publish("shop.deleted", 1);
      Await.until("it arrives", PATIENCE, () -> received.size() == 1);
      var unused =
          nats.ask(
              connection -> connection.jetStreamManagement().deleteConsumer("shop", "deleted"));
      publish("shop.deleted", 1);
      // The new consumer starts with the oldest message, which an inbox would recognise.
      Await.until("all arrives", PATIENCE, () -> received.size() == 3);
      assertThat(receiver.isRunning()).isTrue();
    }
  }

  @Test
  void filterAndOriginAreKeptAndManyMessagesAreTakenAtOnce() throws Exception {
    List<Received> received = new CopyOnWriteArrayList<>();
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    publish("shop.some.a", 100);
    publish("shop.others", 3);
    try (RunningReceiver receiver =
        NatsReceiver.of(nats.options(), "shop", "some")
            .subjects("shop.some.*")
            .origin("shop.renamed")
            .unordered(500)
            .start(
                batch -> {
                  sizes.add(batch.size());
                  received.addAll(batch);
                })) {
      Await.until("they arrive", PATIENCE, () -> received.size() >= 100);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(received)
        .hasSize(100)
        .allSatisfy(
            message -> {
              assertThat(message.topic()).isEqualTo("shop.some.a");
              assertThat(message.origin()).isEqualTo("shop.renamed");
              assertThat(message.keySpace()).isEqualTo("shop.renamed");
            });
    assertThat(sizes).anyMatch(size -> size > 1);
  }
}
