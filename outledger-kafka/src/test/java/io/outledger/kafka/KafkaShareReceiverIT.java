// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.KafkaBroker;
import io.outledger.testing.InMemoryReceiverStore;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kafka gives a record up after some deliveries, and nothing is lost all the same. */
@Tag("long")
final class KafkaShareReceiverIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration LOCK = Duration.ofSeconds(4);
  private static final AtomicInteger TOPICS = new AtomicInteger();
  private static final KafkaBroker KAFKA =
      KafkaBroker.builder()
          .setting("group.share.heartbeat.interval.ms", "500")
          .setting("group.share.min.heartbeat.interval.ms", "500")
          .setting("group.share.min.record.lock.duration.ms", "1000")
          .start();

  private final String topic = "shared-" + TOPICS.incrementAndGet();
  private final Queue<ReceiverEvent> events = new ConcurrentLinkedQueue<>();
  private final InMemoryReceiverStore store =
      new InMemoryReceiverStore("stock", TimeSource.system(), this::work);

  /** The number of the message whose work the database's outage interrupts, once. */
  private volatile int outageAt;

  private void work(Received message, int attempt) {
    if (number(message) == outageAt) {
      outageAt = 0;
      store.takeAway();
      throw new StoreException(
          ErrorCode.STORE_UNAVAILABLE, "planted in attempt " + attempt + " of " + message.id());
    }
  }

  @AfterEach
  void stopCapturing() {
    CapturedLog.stop();
  }

  @AfterAll
  static void close() {
    KAFKA.close();
  }

  private void setUp(int deliveriesMax) {
    KAFKA.createTopic(topic, 1, Map.of());
    ShareGroups.setUp(
        KAFKA.bootstrapServers(),
        topic,
        Map.of(
            "share.delivery.count.limit",
            Integer.toString(deliveriesMax),
            "share.record.lock.duration.ms",
            Long.toString(LOCK.toMillis())));
  }

  private KafkaShareReceiver receiver() {
    return KafkaShareReceiver.with(
            Map.of("bootstrap.servers", KAFKA.bootstrapServers(), "group.id", topic))
        .topics(topic)
        .listener(events::add);
  }

  private RunningReceiver start() {
    return receiver().start(store.handler());
  }

  private void publish(int first, int last) {
    ReportedOutcomes outcomes = new ReportedOutcomes();
    try (PublisherClient client =
        KafkaPublisher.with(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))
            .open(Duration.ofMinutes(1), outcomes)) {
      for (int i = first; i <= last; i++) {
        byte[] payload = Integer.toString(i).getBytes(UTF_8);
        client.publish(i, 1, Message.to(topic, "t").key("k" + i % 7).payload(payload).build());
      }
      assertThat(outcomes.awaitAll(first, last)).containsOnly(Outcome.PUBLISHED);
    }
  }

  private List<Integer> handled() {
    return store.handled().stream().map(KafkaShareReceiverIT::number).sorted().toList();
  }

  private static int number(Received message) {
    return Integer.parseInt(new String(message.payload(), UTF_8));
  }

  private void awaitHandled(int count) {
    Await.until(
        () -> "handled " + handled() + ", parked " + store.parked() + ", " + events,
        PATIENCE,
        () -> handled().size() >= count);
  }

  private static void letPass(Duration time) {
    long started = System.nanoTime();
    Await.until("time", PATIENCE, () -> System.nanoTime() - started > time.toNanos());
  }

  private void awaitEvent(Class<? extends ReceiverEvent> kind) {
    Await.until(
        () -> kind.getSimpleName() + " among " + events,
        PATIENCE,
        () -> events.stream().anyMatch(kind::isInstance));
  }

  /** Has the group's records delivered once more, to a member that does nothing with them. */
  private void deliverInVain(int count) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            KAFKA.bootstrapServers(),
            "group.id",
            topic,
            "share.acknowledgement.mode",
            "explicit");
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    try (KafkaShareConsumer<byte[], byte[]> consumer =
        new KafkaShareConsumer<>(settings, bytes, bytes)) {
      consumer.subscribe(List.of(topic));
      Await.until(
          "records are delivered",
          PATIENCE,
          () -> {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(100));
            assertThat(records.count()).isIn(0, count);
            return !records.isEmpty();
          });
    }
  }

  /** Two deliveries are all that Kafka grants, and the outage has six receivers and many locks. */
  @Test
  void outageOfTheDatabaseLosesNothingHoweverLongAndOftenItIsTried() {
    setUp(2);
    publish(1, 1);
    RunningReceiver first = start();
    awaitHandled(1);
    try (RunningReceiver beside = start()) {
      letPass(Duration.ofSeconds(3)); // it joins
      outageAt = 2;
      publish(2, 20);
      awaitEvent(ReceiverEvent.Unavailable.class);
      letPass(LOCK.plusSeconds(2));
      first.close();
      for (int i = 0; i < 3; i++) {
        try (RunningReceiver next = start()) {
          letPass(Duration.ofSeconds(2));
          assertThat(next.isRunning()).isTrue();
        }
      }
      assertThat(beside.isRunning()).isTrue();
    }
    try (RunningReceiver last = start()) {
      store.bringBack();
      awaitHandled(20);
      Await.until("nothing is parked", PATIENCE, () -> store.parked().isEmpty());
      assertThat(last.isRunning()).isTrue();
    }
    assertThat(handled()).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void recordThatWasDeliveredInVainIsStoredBeforeItIsTriedForTheLastTime() {
    setUp(3);
    publish(1, 1);
    deliverInVain(1);
    deliverInVain(1);
    try (RunningReceiver running = start()) {
      awaitHandled(1);
      awaitEvent(ReceiverEvent.Recovered.class); // it was parked
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(handled()).containsExactly(1);
  }

  @Test
  void recordThatIsHeldIsNotDeliveredToOthersHoweverLongItTakes() {
    setUp(2);
    AtomicBoolean isBroken = new AtomicBoolean(true);
    Queue<String> tried = new ConcurrentLinkedQueue<>();
    Queue<Integer> effects = new ConcurrentLinkedQueue<>();
    try (RunningReceiver one = receiver().start(handler("one", isBroken, tried, effects));
        RunningReceiver other = receiver().start(handler("other", isBroken, tried, effects))) {
      letPass(Duration.ofSeconds(3)); // both join
      publish(1, 1);
      Await.until("it is tried", PATIENCE, () -> !tried.isEmpty());
      letPass(LOCK.plusSeconds(2));
      isBroken.set(false);
      Await.until("it takes effect", PATIENCE, () -> effects.contains(1));
      assertThat(one.isRunning()).isTrue();
      assertThat(other.isRunning()).isTrue();
    }
    assertThat(tried).containsOnly(tried.element());
    assertThat(effects).containsExactly(1);
  }

  private static BatchHandler handler(
      String name, AtomicBoolean isBroken, Queue<String> tried, Queue<Integer> effects) {
    return batch -> {
      tried.add(name);
      if (isBroken.get()) {
        throw new IllegalStateException("planted in " + name);
      }
      batch.forEach(message -> effects.add(number(message)));
    };
  }

  @Test
  void lastDeliveryToAHandlerWithoutADatabaseIsTold() {
    setUp(2);
    publish(1, 1);
    deliverInVain(1);
    CapturedLog.start();
    Queue<Integer> effects = new ConcurrentLinkedQueue<>();
    try (RunningReceiver running =
        receiver().start(batch -> batch.forEach(message -> effects.add(number(message))))) {
      Await.until("it takes effect", PATIENCE, () -> effects.contains(1));
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(CapturedLog.stop())
        .containsOnlyOnce("OUT-039 Kafka gives up a record after 2 deliveries")
        .contains("record " + topic + "-0@0 is delivered for the last time, number 2");
  }

  @Test
  void groupThatIsNotSetUpReceivesNothingAndSaysWhatToDo() {
    KAFKA.createTopic(topic, 1, Map.of());
    publish(1, 5);
    CapturedLog.start();
    try (RunningReceiver running = start()) {
      Await.until("it is told", PATIENCE, () -> CapturedLog.has("kafka-configs.sh"));
      letPass(Duration.ofSeconds(3));
      assertThat(CapturedLog.count("kafka-configs.sh")).isLessThanOrEqualTo(3);
      assertThat(handled()).isEmpty();
      ShareGroups.setUp(KAFKA.bootstrapServers(), topic, Map.of());
      awaitHandled(5);
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(CapturedLog.stop())
        .contains(
            "--entity-type groups --entity-name "
                + topic
                + " --add-config share.auto.offset.reset");
  }

  @Test
  void topicThatDoesNotExistIsToldAndWaitedFor() {
    ShareGroups.setUp(KAFKA.bootstrapServers(), topic, Map.of());
    CapturedLog.start();
    try (RunningReceiver running = start()) {
      Await.until(
          "it is told",
          Duration.ofSeconds(20),
          () -> CapturedLog.has("topic " + topic + " does not exist; create it"));
      KAFKA.createTopic(topic, 1, Map.of());
      publish(1, 5);
      awaitHandled(5);
      assertThat(running.isRunning()).isTrue();
    }
  }

  @Test
  void brokerThatGoesAwayIsToldAndWaitedFor() {
    setUp(5);
    publish(1, 1);
    try (RunningReceiver running = start()) {
      awaitHandled(1);
      KAFKA.stop();
      CapturedLog.start();
      Await.until(
          "it is told",
          Duration.ofSeconds(30),
          () -> CapturedLog.has("no answer from Kafka at " + KAFKA.bootstrapServers()));
      KAFKA.restart();
      publish(2, 5);
      awaitHandled(5);
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(handled()).doesNotHaveDuplicates();
  }

  @Test
  void whatAKilledMemberHadIsReceivedByAnother() {
    setUp(5);
    publish(1, 30);
    try (ChildJvm member =
        ChildJvm.of(StuckShareMember.class).args(KAFKA.bootstrapServers(), topic).start()) {
      member.waitFor(StuckShareMember.READY::equals, PATIENCE);
      member.kill();
    }
    try (RunningReceiver running = start()) {
      awaitHandled(30);
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(handled()).hasSize(30).doesNotHaveDuplicates();
  }
}
