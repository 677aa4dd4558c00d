// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.Consumer;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.models.stream.PendingMessage;
import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Entries of members that died, and entries that were trimmed away. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RedisReceiverIT {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration TAKE_OVER = Duration.ofSeconds(1);
  private static final String STREAM = "orders";
  private static final String GROUP = "stock";

  private final ProxiedRedis redis = ProxiedRedis.start();

  @BeforeEach
  void empty() {
    redis.observer().del(STREAM);
    new RedisGroup(STREAM, GROUP, TAKE_OVER).create(redis.observer());
  }

  @AfterAll
  void close() {
    redis.close();
  }

  private List<String> publish(int count) {
    List<Message> messages =
        IntStream.range(0, count).mapToObj(i -> Message.to(STREAM, "t").key("k").build()).toList();
    try (Sender sender = new Sender(RedisPublisher.to(redis.uri()), PATIENCE)) {
      assertThat(sender.sendAll(messages)).containsOnly(Outcome.PUBLISHED);
    }
    return messages.stream().map(message -> message.id().toString()).toList();
  }

  private RedisReceiver receiver() {
    return RedisReceiver.of(redis.uri(), STREAM, GROUP).takeOverAfter(TAKE_OVER);
  }

  private void readAsAMemberThatDies(int count) {
    readAsAMemberThatDies("dead", count);
  }

  @SuppressWarnings("unchecked") // one stream, in the array of a generic type
  private void readAsAMemberThatDies(String member, int count) {
    assertThat(
            redis
                .observer()
                .xreadgroup(
                    Consumer.from(GROUP, member),
                    io.lettuce.core.XReadArgs.Builder.count(count),
                    StreamOffset.lastConsumed(STREAM)))
        .hasSize(count);
  }

  private static List<String> ids(List<Received> received) {
    return received.stream().map(Received::id).toList();
  }

  @Test
  void entriesOfADeadMemberComeBeforeNewerOnes() {
    List<String> published = publish(10);
    readAsAMemberThatDies(4);
    List<Received> received = new CopyOnWriteArrayList<>();
    try (RunningReceiver receiver = receiver().start(received::addAll)) {
      Await.until("all arrive", PATIENCE, () -> received.size() == 10);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(ids(received)).isEqualTo(published);
    assertThat(redis.observer().xpending(STREAM, GROUP).getCount()).isZero();
  }

  /** A member that begins has dead ones forgotten, but not those that have entries. */
  @Test
  void entriesOfAMemberThatIsDeadForLongAreReceivedAlsoWhereTwoAreDead() {
    List<String> published = publish(6);
    readAsAMemberThatDies(3);
    readAsAMemberThatDies("dead too", 1);
    Await.until("both are dead for long", PATIENCE, () -> idleOfTheLatest() > TAKE_OVER.toMillis());
    List<Received> received = new CopyOnWriteArrayList<>();
    try (RunningReceiver receiver = receiver().start(received::addAll)) {
      Await.until("all arrive", PATIENCE, () -> received.size() == 6);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(ids(received)).isEqualTo(published);
    assertThat(redis.observer().xinfoConsumers(STREAM, GROUP)).hasSizeLessThanOrEqualTo(2);
  }

  private long idleOfTheLatest() {
    return redis.observer().xpending(STREAM, GROUP, Range.unbounded(), Limit.from(10)).stream()
        .mapToLong(PendingMessage::getMsSinceLastDelivery)
        .min()
        .orElse(0);
  }

  @Test
  void closedMemberLeavesNothingBehind() {
    publish(3);
    List<Received> received = new CopyOnWriteArrayList<>();
    try (RunningReceiver receiver = receiver().start(received::addAll)) {
      Await.until("all arrive", PATIENCE, () -> received.size() == 3);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(redis.observer().xinfoConsumers(STREAM, GROUP)).isEmpty();
  }

  @Test
  void deadMemberIsForgottenOnceItsEntriesAreTaken() {
    publish(3);
    readAsAMemberThatDies(2);
    List<Received> received = new CopyOnWriteArrayList<>();
    try (RunningReceiver receiver = receiver().start(received::addAll)) {
      Await.until("all arrive", PATIENCE, () -> received.size() == 3);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(redis.observer().xinfoConsumers(STREAM, GROUP)).hasSize(1);
    try (RunningReceiver next = receiver().start(received::addAll)) {
      publish(1);
      Await.until("it arrives", PATIENCE, () -> received.size() == 4);
      assertThat(next.isRunning()).isTrue();
    }
    assertThat(redis.observer().xinfoConsumers(STREAM, GROUP)).isEmpty();
  }

  @Test
  void connectionsThatComeTooLateAreEnded() {
    CapturedLog.start();
    redis.server.suspend();
    try (RunningReceiver receiver = receiver().start(received -> {})) {
      Await.until("it tries again", PATIENCE, () -> CapturedLog.has("cannot receive"));
      Await.until("a second time", PATIENCE, () -> redis.line.connectionCount() >= 2);
      redis.server.resume();
      Await.until("one is left", PATIENCE, () -> redis.line.connectionCount() == 1);
      assertThat(receiver.isRunning()).isTrue();
    } finally {
      redis.server.resume();
      CapturedLog.stop();
    }
  }

  @Test
  void entryThatWasTrimmedBeforeItWasAcknowledgedIsTold() {
    publish(3);
    readAsAMemberThatDies(2);
    redis.observer().xtrim(STREAM, 1);
    List<Received> received = new CopyOnWriteArrayList<>();
    List<String> told = new CopyOnWriteArrayList<>();
    try (RunningReceiver receiver =
        receiver()
            .unreadable((place, payload, reason) -> told.add(reason))
            .origin("mirror")
            .start(received::addAll)) {
      Await.until("the rest arrives", PATIENCE, () -> received.size() == 1);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(told).hasSize(2).allMatch(reason -> reason.contains("removed from the stream"));
    assertThat(received.get(0).origin()).isEqualTo("mirror");
  }

  /** Redis counts the entries of a page, and not their bytes. */
  @Test
  void pageIsBoundedInBytesAndNotInEntriesAlone() {
    byte[] large = new byte[4 << 20];
    int count = 60;
    for (int i = 0; i < count; i++) {
      redis.observer().xadd(STREAM, event("e" + i, large));
    }
    readAsAMemberThatDies(count / 2);
    List<String> received = new CopyOnWriteArrayList<>();
    BatchHandler handler =
        batch -> {
          assertThat(batch).hasSizeLessThanOrEqualTo(2);
          received.addAll(ids(batch));
        };
    try (RunningReceiver receiver = receiver().start(handler)) {
      Await.until(() -> received.size() + " arrived", PATIENCE, () -> received.size() >= count);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(received)
        .containsExactlyElementsOf(IntStream.range(0, count).mapToObj(i -> "e" + i).toList());
  }

  private static Map<String, byte[]> event(String id, byte[] payload) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    Map.of("specversion", "1.0", "id", id, "source", "/s", "type", "t")
        .forEach((name, value) -> fields.put(RedisBinding.PREFIX + name, value.getBytes(UTF_8)));
    fields.put(RedisBinding.PAYLOAD, payload);
    return fields;
  }

  /** To create a group needs memory, even where there is one. */
  @Test
  void whatAFullRedisHasIsReceived() {
    List<String> published = publish(10);
    redis.observer().configSet("maxmemory", "1");
    List<Received> received = new CopyOnWriteArrayList<>();
    try (RunningReceiver receiver = receiver().start(received::addAll)) {
      Await.until("all arrive", PATIENCE, () -> received.size() == 10);
      assertThat(receiver.isRunning()).isTrue();
    } finally {
      redis.observer().configSet("maxmemory", "0");
    }
    assertThat(ids(received)).isEqualTo(published);
  }

  @Test
  void keyThatCanBeNoOriginNeedsAName() {
    RedisReceiver receiver = RedisReceiver.of(redis.uri(), "shop orders", GROUP);
    assertThatThrownBy(() -> receiver.start(batch -> {}))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("the stream 'shop orders'")
        .hasMessageContaining("origin(...)");
    try (RunningReceiver running = receiver.origin("orders").start(batch -> {})) {
      assertThat(running.failure()).isNull();
    }
  }
}
