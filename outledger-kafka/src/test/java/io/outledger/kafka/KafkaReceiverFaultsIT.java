// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.receive.RunningReceiver;
import io.outledger.relay.options.Backoff;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.KafkaProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What handlers, rights and brokers do to a receiver, and what it makes of it. */
@Tag("long")
final class KafkaReceiverFaultsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration HEALTHY_MAX = Duration.ofSeconds(15);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(10);
  private static final KafkaBroker KAFKA = KafkaBroker.builder().account("shop", "secret").start();

  private final Set<String> effects = ConcurrentHashMap.newKeySet();

  @AfterAll
  static void stop() {
    KAFKA.close();
  }

  private static void produce(String servers, String topic, int count) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(Map.of("bootstrap.servers", servers), bytes, bytes)) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (int i = 1; i <= count; i++) {
        String id = topic + " " + i;
        ProducerRecord<byte[], byte[]> event = new ProducerRecord<>(topic, id.getBytes(UTF_8));
        Records.attributes(id).forEach((name, v) -> event.headers().add(name, v.getBytes(UTF_8)));
        sent.add(producer.send(event));
      }
      producer.flush();
      assertThat(sent).allMatch(Future::isDone);
    }
  }

  private static KafkaReceiver receiver(String servers, String... topics) {
    return KafkaReceiver.with(Map.of("bootstrap.servers", servers, "group.id", topics[0]))
        .topics(topics)
        .backoff(new Backoff(Duration.ofMillis(20), Duration.ofMillis(200)));
  }

  private void take(List<Received> batch) {
    batch.forEach(received -> effects.add(received.id()));
  }

  private void awaitEffects(String topic, int count) {
    Await.until(
        () -> effects.size() + " effects, and " + count + " of " + topic + " are awaited",
        PATIENCE,
        () -> effects.containsAll(all(topic, count)));
  }

  private static List<String> all(String topic, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> topic + " " + i).toList();
  }

  @Test
  void whateverAHandlerThrowsIsNotTheEndOfIt() {
    KAFKA.createTopic("thrown", 1, Map.of());
    produce(KAFKA.bootstrapServers(), "thrown", 40);
    AtomicInteger calls = new AtomicInteger();
    BatchHandler handler =
        batch -> {
          switch (calls.incrementAndGet()) {
            case 1 -> throw new OutOfMemoryError("planted");
            case 2 -> KafkaReceiverFaultsIT.<RuntimeException>throwAny(new Throwable("planted"));
            case 3 -> throw new InterruptedException("planted");
            case 4 -> throw new StackOverflowError("planted");
            case 5 -> Thread.currentThread().interrupt();
            default -> take(batch);
          }
          take(batch);
        };
    try (RunningReceiver running = receiver(KAFKA.bootstrapServers(), "thrown").start(handler)) {
      awaitEffects("thrown", 40);
      assertThat(running.isRunning()).isTrue();
      assertThat(running.failure()).isNull();
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> void throwAny(Throwable thrown) throws X {
    throw (X) thrown;
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void deniedTopicDoesNotStarveTheOthers(String protocol) throws Exception {
    String healthy = "healthy-" + protocol;
    String denied = "denied-" + protocol;
    KAFKA.createTopic(healthy, 2, Map.of());
    KAFKA.createTopic(denied, 2, Map.of());
    KAFKA.allow("shop", healthy);
    allowGroup(healthy);
    produce(KAFKA.bootstrapServers(), healthy, 1_500);
    produce(KAFKA.bootstrapServers(), denied, 10);
    Map<String, Object> settings = ofShop(healthy, protocol);
    KafkaReceiver receiver = KafkaReceiver.with(settings).topics(denied, healthy);
    long started = System.nanoTime();
    try (RunningReceiver running = receiver.start(this::take)) {
      awaitEffects(healthy, 1_500);
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(HEALTHY_MAX);
      if (protocol.equals("classic")) {
        KAFKA.allow("shop", denied);
        awaitEffects(denied, 10);
      }
      assertThat(running.isRunning()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void topicThatIsDeniedBeforeItsCommitDoesNotStarveTheOthers(String protocol) throws Exception {
    String lively = "lively-" + protocol;
    String withdrawn = "withdrawn-" + protocol;
    for (String topic : List.of(lively, withdrawn)) {
      KAFKA.createTopic(topic, 1, Map.of());
      KAFKA.allow("shop", topic);
    }
    allowGroup(lively);
    produce(KAFKA.bootstrapServers(), withdrawn, 10);
    Map<String, Object> settings = ofShop(lively, protocol);
    BatchHandler handler =
        batch -> {
          if (batch.get(0).id().startsWith(withdrawn)) {
            deny(withdrawn);
          }
          take(batch);
        };
    CapturedLog.start();
    try (RunningReceiver running =
        KafkaReceiver.with(settings).topics(withdrawn, lively).start(handler)) {
      awaitEffects(withdrawn, 10);
      produce(KAFKA.bootstrapServers(), lively, 100);
      Await.until(
          "the other topic's offset is committed", HEALTHY_MAX, () -> committed(lively, 100));
      assertThat(CapturedLog.has("not authorized to commit offsets")).isTrue();
      assertThat(CapturedLog.has("the Kafka consumer failed")).isFalse();
      assertThat(running.isRunning()).isTrue();
    } finally {
      CapturedLog.stop();
    }
  }

  private static boolean committed(String topic, long offset) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))) {
      OffsetAndMetadata found =
          admin
              .listConsumerGroupOffsets(topic)
              .partitionsToOffsetAndMetadata()
              .get()
              .get(new TopicPartition(topic, 0));
      return found != null && found.offset() == offset;
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns when the broker knows. */
  private static void deny(String topic) throws Exception {
    AccessControlEntry nothing =
        new AccessControlEntry("User:shop", "*", AclOperation.ALL, AclPermissionType.DENY);
    ResourcePattern pattern = new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", KAFKA.bootstrapServers()));
        Admin shop = Admin.create(asShop())) {
      admin.createAcls(List.of(new AclBinding(pattern, nothing))).all().get();
      Await.until(
          "it is denied",
          PATIENCE,
          () ->
              shop.describeTopics(List.of(topic))
                  .allTopicNames()
                  .toCompletionStage()
                  .handle((description, failure) -> failure != null)
                  .toCompletableFuture()
                  .join());
    }
  }

  private static Map<String, Object> ofShop(String group, String protocol) {
    Map<String, Object> settings = asShop();
    settings.put("group.id", group);
    settings.put("group.protocol", protocol);
    return settings;
  }

  private static Map<String, Object> asShop() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", KAFKA.securedServers());
    settings.put("security.protocol", "SASL_PLAINTEXT");
    settings.put("sasl.mechanism", "PLAIN");
    settings.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"shop\""
            + " password=\"secret\";");
    return settings;
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void groupThatIsForbiddenIsJoinedOnceItIsAllowed(String protocol) throws Exception {
    String topic = "later-" + protocol;
    KAFKA.createTopic(topic, 2, Map.of());
    KAFKA.allow("shop", topic);
    produce(KAFKA.bootstrapServers(), topic, 10);
    CapturedLog.start();
    try (RunningReceiver running =
        KafkaReceiver.with(ofShop(topic, protocol)).topics(topic).start(this::take)) {
      Await.until("it is refused", PATIENCE, () -> CapturedLog.has("; next attempt in 1 s"));
      allowGroup(topic);
      awaitEffects(topic, 10);
      assertThat(running.failure()).isNull();
    } finally {
      CapturedLog.stop();
    }
  }

  private static void allowGroup(String group) throws Exception {
    AccessControlEntry everything =
        new AccessControlEntry("User:shop", "*", AclOperation.ALL, AclPermissionType.ALLOW);
    ResourcePattern pattern = new ResourcePattern(ResourceType.GROUP, group, PatternType.LITERAL);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))) {
      admin.createAcls(List.of(new AclBinding(pattern, everything))).all().get();
    }
  }

  @Test
  void closingDoesNotWaitForAGroupThatIsBeingJoined() throws Exception {
    KAFKA.createTopic("joining", 2, Map.of());
    produce(KAFKA.bootstrapServers(), "joining", 10);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    RunningReceiver busy =
        receiver(KAFKA.bootstrapServers(), "joining")
            .start(
                batch -> {
                  entered.countDown();
                  goOn.await();
                });
    entered.await();
    RunningReceiver joining = receiver(KAFKA.bootstrapServers(), "joining").start(this::take);
    try {
      Await.until("it joins", PATIENCE, () -> isBeingJoined("joining"));
      assertClosesInTime(joining);
    } finally {
      goOn.countDown();
      busy.close();
    }
  }

  private static boolean isBeingJoined(String group) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))) {
      return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
          .anyMatch(each -> each.groupState() == GroupState.PREPARING_REBALANCE);
    }
  }

  @Test
  void closingDoesNotWaitForAFrozenBroker() {
    try (KafkaProcess kafka = KafkaProcess.start()) {
      kafka.createTopic("frozen", 2, Map.of());
      produce(kafka.bootstrapServers(), "frozen", 10);
      RunningReceiver running = receiver(kafka.bootstrapServers(), "frozen").start(this::take);
      awaitEffects("frozen", 10);
      kafka.suspend();
      RunningReceiver joining = receiver(kafka.bootstrapServers(), "frozen").start(this::take);
      assertClosesInTime(running);
      assertClosesInTime(joining);
      kafka.resume();
    }
  }

  private static void assertClosesInTime(RunningReceiver running) {
    long started = System.nanoTime();
    running.close();
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(CLOSE_MAX);
    assertThat(running.isRunning()).isFalse();
    assertThat(running.failure()).isNull();
  }
}
