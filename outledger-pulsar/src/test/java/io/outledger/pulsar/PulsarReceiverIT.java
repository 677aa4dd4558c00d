// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.PulsarServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Subscriptions of both types, partitions, strangers' messages, and choices of the receiver. */
final class PulsarReceiverIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int KEYS = 20;

  private final PulsarServer server = SharedPulsar.server();
  private final String topic = SharedPulsar.newTopic();
  private final List<Received> first = new CopyOnWriteArrayList<>();
  private final List<Received> second = new CopyOnWriteArrayList<>();

  @AfterEach
  void stopCapturing() {
    CapturedLog.stop();
  }

  private PulsarReceiver receiver() {
    return PulsarReceiver.of(SharedPulsar.cluster(), topic, "stock");
  }

  private List<Message> publish(int count) {
    return publish(count, KEYS);
  }

  private List<Message> publish(int count, int keys) {
    List<Message> messages =
        IntStream.range(0, count)
            .mapToObj(i -> Message.to(topic, "t").key("k" + i % keys).build())
            .toList();
    try (Sender sender = new Sender(PulsarPublisher.to(SharedPulsar.cluster()), PATIENCE)) {
      assertThat(sender.sendAll(messages)).containsOnly(Outcome.PUBLISHED);
    }
    return messages;
  }

  private void await(String what, Await.Condition condition) {
    Await.until(what, PATIENCE, condition);
  }

  private void createTopic() {
    server.admin("PUT", "persistent/public/default/" + topic, "");
  }

  /** Returns how many consumers the subscription has. */
  private int consumers() {
    String stats = server.admin("GET", "persistent/public/default/" + topic + "/stats", "");
    return stats.split("\"consumerName\"", -1).length - 1;
  }

  @Test
  void instancesOfAKeySharedSubscriptionShareTheKeysAndKeepTheirOrder() {
    createTopic();
    List<Received> all = new CopyOnWriteArrayList<>();
    List<Message> messages;
    try (RunningReceiver one = receiver().start(into(first, all));
        RunningReceiver other = receiver().start(into(second, all))) {
      await("both are there", () -> consumers() == 2);
      messages = publish(400);
      awaitAll(400, all);
      assertThat(List.of(one.isRunning(), other.isRunning())).containsOnly(true);
    }
    assertThat(first).isNotEmpty();
    assertThat(second).isNotEmpty();
    assertOrderOfKeys(all, messages);
  }

  private static BatchHandler into(List<Received> own, List<Received> all) {
    return batch -> {
      own.addAll(batch);
      all.addAll(batch);
    };
  }

  /** Waits for that many different messages: one may come again after a lost connection. */
  private void awaitAll(int count, List<Received> came) {
    Await.until(
        () -> "all came: " + came.size() + ", of which differ " + ids(came).count(),
        PATIENCE,
        () -> ids(came).count() == count);
  }

  private static Stream<String> ids(List<Received> messages) {
    return messages.stream().map(Received::id).distinct();
  }

  private static void assertOrderOfKeys(List<Received> came, List<Message> messages) {
    for (int key = 0; key < KEYS; key++) {
      String of = "k" + key;
      assertThat(ids(came.stream().filter(each -> of.equals(each.key())).toList()))
          .containsExactlyElementsOf(
              messages.stream()
                  .filter(each -> of.equals(each.key()))
                  .map(each -> each.id().toString())
                  .toList());
    }
  }

  @Test
  void instanceOfAFailoverSubscriptionHasAllUntilItIsGone() {
    createTopic();
    try (RunningReceiver one = receiver().failover().start(first::addAll);
        RunningReceiver other = receiver().failover().start(second::addAll)) {
      await("both are there", () -> consumers() == 2);
      publish(1); // Pulsar chooses who has it
      await("it came", () -> first.size() + second.size() > 0);
      boolean isFirst = second.isEmpty();
      publish(50);
      awaitAll(51, isFirst ? first : second);
      assertThat(isFirst ? second : first).isEmpty();
      (isFirst ? one : other).close();
      publish(50);
      awaitAll(50, isFirst ? second : first);
    }
  }

  @Test
  void subscriptionOfAnotherTypeIsSaid() {
    createTopic();
    CapturedLog.start();
    try (RunningReceiver one = receiver().start(first::addAll)) {
      await("it is there", () -> consumers() == 1);
      try (RunningReceiver other = receiver().failover().start(second::addAll)) {
        await("it says so", () -> CapturedLog.has("cannot subscribe as stock of"));
        assertThat(other.isRunning()).isTrue();
      }
      assertThat(one.isRunning()).isTrue();
    }
  }

  @Test
  void tokenThatNobodySignedIsSaid() {
    CapturedLog.start();
    PulsarCluster cluster = SharedPulsar.cluster(PulsarServer.forgedToken(PulsarServer.ADMIN));
    try (RunningReceiver receiver =
        PulsarReceiver.of(cluster, topic, "stock").start(first::addAll)) {
      await("it says so", () -> CapturedLog.has("cannot receive"));
      await("it says what", () -> CapturedLog.has("cannot subscribe as stock of"));
      assertThat(receiver.isRunning()).isTrue();
    }
  }

  @Test
  void messagesOfPartitionsComeFromOneTopic() {
    server.admin("PUT", "persistent/public/default/" + topic + "/partitions", "3");
    List<Message> messages = publish(100);
    try (RunningReceiver receiver = receiver().start(first::addAll)) {
      awaitAll(100, first);
      assertThat(receiver.isRunning()).isTrue();
    }
    String whole = "persistent://public/default/" + topic;
    assertThat(first).allMatch(each -> each.topic().equals(whole) && each.origin().equals(whole));
    assertOrderOfKeys(first, messages);
  }

  @Test
  void partitionThatWaitsHoldsNoOtherHoweverManyMessagesItHas() {
    server.admin("PUT", "persistent/public/default/" + topic + "/partitions", "2");
    AtomicBoolean waits = new AtomicBoolean(true);
    AtomicInteger calls = new AtomicInteger();
    BatchHandler handler =
        batch -> {
          if (waits.get() && batch.stream().anyMatch(each -> "k0".equals(each.key()))) {
            calls.incrementAndGet();
            throw new DestinationUnavailableException("what k0 needs is down", null);
          }
          first.addAll(batch);
        };
    List<Message> messages = new ArrayList<>(publish(1_500, 1));
    try (RunningReceiver receiver = receiver().start(handler)) {
      await("all that has room is there", () -> calls.get() >= 5);
      messages.addAll(publish(100, KEYS));
      await("the other partition's came", () -> first.size() >= KEYS);
      waits.set(false);
      awaitAll(1_600, first);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertOrderOfKeys(first, messages);
  }

  /** Here since somebody else has the subscription to it, in another way. */
  @Test
  void partitionThatCannotBeSubscribedToHoldsNoOther() throws Exception {
    server.admin("PUT", "persistent/public/default/" + topic + "/partitions", "2");
    List<Message> messages = publish(100);
    CapturedLog.start();
    Consumer<byte[]> stranger =
        SharedPulsar.pulsar()
            .newConsumer()
            .topic("persistent://public/default/" + topic + "-partition-0")
            .subscriptionName("stock")
            .subscriptionType(SubscriptionType.Exclusive)
            .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
            .receiverQueueSize(1)
            .subscribe();
    try (RunningReceiver receiver = receiver().start(first::addAll)) {
      await("it says so", () -> CapturedLog.has("cannot subscribe to"));
      await("the other partition's came", () -> !first.isEmpty());
      assertThat(ids(first).count()).isLessThan(100);
      stranger.close();
      awaitAll(100, first); // it tries again every ten seconds
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(CapturedLog.has("cannot receive")).isFalse();
    assertOrderOfKeys(first, messages);
  }

  @Test
  void partitionThatIsAddedIsReceivedFrom() {
    server.admin("PUT", "persistent/public/default/" + topic + "/partitions", "1");
    publish(KEYS);
    try (RunningReceiver receiver = receiver().start(first::addAll)) {
      awaitAll(KEYS, first);
      server.admin("POST", "persistent/public/default/" + topic + "/partitions", "4");
      publish(KEYS);
      awaitAll(2 * KEYS, first); // it looks for new ones every ten seconds
      assertThat(receiver.isRunning()).isTrue();
    }
  }

  @Test
  void messagesThatAStrangerBatchedAreAcknowledgedOneByOne() throws Exception {
    try (Producer<byte[]> producer =
        SharedPulsar.pulsar()
            .newProducer()
            .topic(topic)
            .batchingMaxPublishDelay(1, TimeUnit.SECONDS)
            .create()) {
      List<Object> coming = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        coming.add(
            producer
                .newMessage()
                .key("k")
                .property("ce_specversion", "1.0")
                .property("ce_id", "id-" + i)
                .property("ce_source", "/stranger")
                .property("ce_type", "t")
                .sendAsync());
      }
      producer.flush();
      assertThat(coming).hasSize(30);
    }
    try (RunningReceiver receiver = receiver().start(this::takeTen)) {
      await("the first came", () -> first.size() == 10);
      assertThat(receiver.isRunning()).isTrue();
    }
    try (RunningReceiver receiver = receiver().start(second::addAll)) {
      await("the rest came", () -> second.stream().anyMatch(each -> each.id().equals("id-29")));
      assertThat(receiver.isRunning()).isTrue();
    }
    List<String> ids = new ArrayList<>();
    first.forEach(each -> ids.add(each.id()));
    second.forEach(each -> ids.add(each.id()));
    assertThat(ids.stream().distinct())
        .containsExactlyElementsOf(IntStream.range(0, 30).mapToObj(i -> "id-" + i).toList());
  }

  private void takeTen(List<Received> batch) {
    if (batch.stream().anyMatch(each -> each.id().equals("id-10"))) {
      throw new IllegalStateException("not now");
    }
    first.addAll(batch);
  }

  @Test
  void whatIsHeldBackComesOnceAlthoughTheLineBroke() {
    AtomicBoolean fails = new AtomicBoolean(true);
    AtomicInteger calls = new AtomicInteger();
    BatchHandler handler =
        batch -> {
          calls.incrementAndGet();
          if (fails.get()) {
            throw new IllegalStateException("not now");
          }
          first.addAll(batch);
        };
    publish(20);
    try (RunningReceiver receiver = receiver().start(handler)) {
      await("it failed", () -> calls.get() > 0);
      server.line().refuse();
      await("the line is gone", () -> server.line().connectionCount() == 0 && consumers() == 0);
      server.line().pass();
      await("it is back", () -> consumers() == 1);
      fails.set(false);
      await("all came", () -> first.size() >= 20);
      publish(5);
      await("the others came", () -> first.size() >= 25);
      assertThat(receiver.isRunning()).isTrue();
    } finally {
      server.line().pass();
    }
    assertThat(first.stream().map(Received::id).distinct()).hasSize(25);
  }

  @Test
  void lineThatIsAwayForLongIsSaidAndTheReceiverGoesOn() {
    try (RunningReceiver receiver = receiver().start(first::addAll)) {
      publish(5);
      await("all came", () -> first.size() == 5);
      CapturedLog.start();
      server.line().refuse();
      await("it says so", () -> CapturedLog.has("cannot receive"));
      server.line().pass();
      publish(5);
      awaitAll(10, first);
      assertThat(receiver.isRunning()).isTrue();
    } finally {
      server.line().pass();
    }
  }
}
