// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.receive.RunningReceiver;
import io.outledger.relay.options.Backoff;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.InMemoryTransaction;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

final class KafkaReceiverIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final List<String> effects = new CopyOnWriteArrayList<>();

  private static void publish(String topic, int first, int last) {
    ReportedOutcomes outcomes = new ReportedOutcomes();
    try (PublisherClient client =
        KafkaPublisher.with(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))
            .open(Duration.ofSeconds(10), outcomes)) {
      for (int i = first; i <= last; i++) {
        byte[] payload = Integer.toString(i).getBytes(UTF_8);
        client.publish(i, 1, Message.to(topic, "t").key("k" + i % 20).payload(payload).build());
      }
      assertThat(outcomes.awaitAll(first, last)).containsOnly(Outcome.PUBLISHED);
    }
  }

  private static KafkaReceiver receiver(String topic) {
    return KafkaReceiver.with(
            Map.of(
                "bootstrap.servers",
                KAFKA.bootstrapServers(),
                "group.id",
                topic,
                "max.poll.records",
                50))
        .topics(topic)
        .backoff(new Backoff(Duration.ofMillis(20), Duration.ofMillis(200)));
  }

  private static String text(Received received) {
    return new String(received.payload(), UTF_8);
  }

  private void take(List<Received> batch) {
    batch.forEach(received -> effects.add(text(received)));
  }

  private void awaitEffects(int count) {
    Await.until(
        () -> effects.size() + " of " + count + " effects",
        PATIENCE,
        () -> effects.stream().distinct().count() >= count);
  }

  private static long committed(String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))) {
      Map<TopicPartition, OffsetAndMetadata> offsets =
          admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata().get();
      return offsets.values().stream().mapToLong(OffsetAndMetadata::offset).sum();
    }
  }

  @Test
  void everythingIsReceivedOnceAndCommittedAcrossACleanRestart() throws Exception {
    String topic = "receiver-restart";
    KAFKA.createTopic(topic, 4, Map.of());
    publish(topic, 1, 500);
    try (RunningReceiver running = receiver(topic).start(this::take)) {
      awaitEffects(500);
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(committed(topic)).isEqualTo(500);
    publish(topic, 501, 1_000);
    try (RunningReceiver running = receiver(topic).start(this::take)) {
      awaitEffects(1_000);
      assertThat(running.failure()).isNull();
    }
    assertThat(effects).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(committed(topic)).isEqualTo(1_000);
  }

  @Test
  void recordThatFailsForAWhileHoldsItsPartitionAndIsNotSkipped() {
    String topic = "receiver-failing";
    KAFKA.createTopic(topic, 2, Map.of());
    publish(topic, 1, 200);
    AtomicBoolean fixed = new AtomicBoolean();
    BatchHandler handler =
        batch -> {
          if (!fixed.get() && batch.stream().anyMatch(r -> text(r).equals("7"))) {
            throw new IllegalStateException("not now");
          }
          take(batch);
        };
    try (RunningReceiver running = receiver(topic).start(handler)) {
      // The other partition's keys all arrive, and those before the bad record.
      Await.until("others go on", PATIENCE, () -> effects.size() >= 50);
      fixed.set(true);
      awaitEffects(200);
      assertThat(running.failure()).isNull();
    }
    assertThat(effects).hasSize(200).doesNotHaveDuplicates();
    for (int key = 0; key < 20; key++) {
      int rest = key;
      assertThat(effects.stream().map(Integer::valueOf).filter(i -> i % 20 == rest)).isSorted();
    }
  }

  @Test
  void membersThatComeAndGoCleanlyShareTheWorkWithoutRepeatingIt() {
    String topic = "receiver-group";
    KAFKA.createTopic(topic, 4, Map.of());
    RunningReceiver first = receiver(topic).start(this::take);
    publish(topic, 1, 300);
    awaitEffects(300);
    RunningReceiver second = receiver(topic).start(this::take);
    publish(topic, 301, 600);
    awaitEffects(600);
    first.close();
    publish(topic, 601, 900);
    awaitEffects(900);
    second.close();
    assertThat(effects).hasSize(900).doesNotHaveDuplicates();
  }

  @Test
  void forgedIdsOfAnotherTopicSuppressNoEffect() {
    InMemoryLedger ledger = new InMemoryLedger(TimeSource.system());
    Inbox<InMemoryTransaction> inbox = new Inbox<>("shop", ledger.inboxStore());
    KAFKA.createTopic("real", 1, Map.of());
    KAFKA.createTopic("anybodys", 1, Map.of());
    BatchHandler handler =
        batch -> {
          for (Received received : batch) {
            InMemoryTransaction transaction = ledger.begin();
            inbox.process(
                transaction, received, () -> effects.add(received.topic() + received.id()));
            transaction.commit();
          }
        };
    produce("anybodys", 100);
    try (RunningReceiver running = receiver("anybodys").topics("anybodys", "real").start(handler)) {
      awaitEffects(100);
      produce("real", 100);
      awaitEffects(200);
      produce("real", 100); // again, so it has no effect
      produce("anybodys", 101);
      awaitEffects(201);
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(effects).hasSize(201).doesNotHaveDuplicates();
  }

  private static void produce(String topic, int count) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(Map.of("bootstrap.servers", KAFKA.bootstrapServers()), bytes, bytes)) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (int i = 1; i <= count; i++) {
        ProducerRecord<byte[], byte[]> event = new ProducerRecord<>(topic, new byte[0]);
        Records.attributes("id" + i)
            .forEach((name, value) -> event.headers().add(name, value.getBytes(UTF_8)));
        sent.add(producer.send(event));
      }
      producer.flush();
      assertThat(sent).allMatch(Future::isDone);
    }
  }

  @Test
  void recordThatCannotBeReceivedIsNotedAndPassedOverWhereThatIsWanted() throws Exception {
    String topic = "receiver-unreadable";
    KAFKA.createTopic(topic, 1, Map.of());
    publish(topic, 1, 3);
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(Map.of("bootstrap.servers", KAFKA.bootstrapServers()), bytes, bytes)) {
      producer.send(new ProducerRecord<>(topic, "foreign".getBytes(UTF_8))).get();
    }
    publish(topic, 4, 6);
    List<UnreadableRecord> noted = new CopyOnWriteArrayList<>();
    AtomicBoolean canNote = new AtomicBoolean();
    UnreadableRecords noting =
        record -> {
          noted.add(record);
          if (!canNote.getAndSet(true)) {
            throw new IllegalStateException("no table to note it in");
          }
        };
    try (RunningReceiver running = receiver(topic).unreadable(noting).start(this::take)) {
      awaitEffects(6);
      assertThat(running.failure()).isNull();
    }
    assertThat(effects).containsExactly("1", "2", "3", "4", "5", "6");
    assertThat(noted).hasSize(2).allMatch(record -> record.offset() == 3);
    assertThat(noted.get(0).reason()).contains(topic + "-0@3").contains("not a CloudEvent");
    assertThat(committed(topic)).isEqualTo(7);
  }

  @Test
  void closeFinishesTheBatchAndCommitsIt() throws Exception {
    String topic = "receiver-close";
    KAFKA.createTopic(topic, 1, Map.of());
    publish(topic, 1, 10);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    RunningReceiver running =
        receiver(topic)
            .start(
                batch -> {
                  entered.countDown();
                  assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
                  take(batch);
                });
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    Thread closing = new Thread(running::close);
    closing.start();
    Await.until("it waits in close", PATIENCE, () -> isWaiting(closing));
    assertThat(running.isRunning()).isTrue();
    goOn.countDown();
    closing.join();
    assertThat(running.isRunning()).isFalse();
    assertThat(committed(topic)).isEqualTo(effects.size()).isPositive();
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  @Test
  void foreignRecordStopsItsPartitionOrIsIdentifiedByItsPlace() throws Exception {
    String topic = "receiver-foreign";
    KAFKA.createTopic(topic, 1, Map.of());
    publish(topic, 1, 3);
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(Map.of("bootstrap.servers", KAFKA.bootstrapServers()), bytes, bytes)) {
      producer.send(new ProducerRecord<>(topic, "foreign".getBytes(UTF_8))).get();
    }
    publish(topic, 4, 6);
    try (RunningReceiver running = receiver(topic).start(this::take)) {
      awaitEffects(3);
      assertThat(running.failure()).isNull();
    }
    assertThat(committed(topic)).isEqualTo(3);
    try (RunningReceiver running =
        receiver(topic).foreign(ForeignRecords.IDENTIFY_BY_OFFSET).start(this::take)) {
      awaitEffects(7);
      assertThat(running.failure()).isNull();
    }
    assertThat(effects).containsExactly("1", "2", "3", "foreign", "4", "5", "6");
  }

  @Test
  void groupThatStartsAtTheNewestMissesNothingAfterItsFirstStart() {
    String topic = "receiver-latest";
    KAFKA.createTopic(topic, 1, Map.of());
    publish(topic, 1, 5);
    Map<String, String> settings =
        Map.of(
            "bootstrap.servers",
            KAFKA.bootstrapServers(),
            "group.id",
            topic,
            "auto.offset.reset",
            "latest");
    try (RunningReceiver running = KafkaReceiver.with(settings).topics(topic).start(this::take)) {
      Await.until("the start is noted", PATIENCE, () -> committed(topic) == 5);
      assertThat(running.isRunning()).isTrue();
    }
    publish(topic, 6, 8);
    try (RunningReceiver running = KafkaReceiver.with(settings).topics(topic).start(this::take)) {
      awaitEffects(3);
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(effects).containsExactly("6", "7", "8");
    assertThat(IntStream.range(0, effects.size())).hasSize(3);
  }
}
