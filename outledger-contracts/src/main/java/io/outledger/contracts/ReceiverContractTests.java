// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.testing.InMemoryReceiverStore;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A fixture for each test of a receiver, and the sentences in which the tests are told. */
abstract class ReceiverContractTests {

  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final Duration CLOSE_MAX = Duration.ofSeconds(10);
  private static final Backoff SOON = new Backoff(Duration.ofMillis(5), Duration.ofMillis(20));
  static final ReceiverOptions OPTIONS =
      ReceiverOptions.DEFAULT
          .withRetry(RetryPolicy.DEFAULT.withAttemptsMax(1_000).withBackoff(SOON))
          .withBackoff(SOON);

  private final TimeSource time = TimeSource.system();
  private final Semaphore never = new Semaphore(0);
  private final List<OpenReceiver> started = new ArrayList<>();

  /** The ids of messages whose handling fails. */
  final Set<String> failing = ConcurrentHashMap.newKeySet();

  /** What the handling of messages throws that is no exception, by their ids. */
  final Map<String, Error> errors = new ConcurrentHashMap<>();

  /** The ids of messages whose handler says each time that what it needs is away. */
  final Set<String> unavailable = ConcurrentHashMap.newKeySet();

  final List<ReceiverEvent> events = new CopyOnWriteArrayList<>();

  /** The consumer's database, for all receivers of a test. */
  final InMemoryReceiverStore store = new InMemoryReceiverStore("stock", time, this::work);

  private ReceiverFixture fixture;

  abstract ReceiverFixture openFixture();

  @BeforeEach
  final void open() {
    fixture = openFixture();
  }

  @AfterEach
  final void close() throws Exception {
    started.forEach(OpenReceiver::close);
    fixture.close();
  }

  private void work(Received message, int attempt) {
    Error error = errors.get(message.id());
    if (error != null) {
      throw error;
    }
    if (unavailable.contains(message.id())) {
      throw new DestinationUnavailableException("the bank is closed", null);
    }
    if (failing.contains(message.id())) {
      throw new IllegalStateException("no stock for " + message.id() + ", attempt " + attempt);
    }
  }

  final ReceiverFixture fixture() {
    return fixture;
  }

  /** Starts a receiver that has messages take effect in the consumer's database. */
  final OpenReceiver start() {
    return start(OPTIONS);
  }

  final OpenReceiver start(ReceiverOptions options) {
    return start(store.handler(), options, null);
  }

  final OpenReceiver start(BatchHandler handler) {
    return start(handler, OPTIONS, null);
  }

  final OpenReceiver start(
      BatchHandler handler, ReceiverOptions options, @Nullable Consumer<String> unreadable) {
    OpenReceiver receiver =
        fixture.start(new ReceiverSetup(handler, options, events::add, unreadable));
    started.add(receiver);
    return receiver;
  }

  final Message message(@Nullable String key, String payload) {
    return message(key, payload.getBytes(UTF_8));
  }

  final Message message(@Nullable String key, byte[] payload) {
    Message.Builder message = Message.to(fixture.topic(), "order.placed").payload(payload);
    return key == null ? message.build() : message.key(key).build();
  }

  /** Returns messages of keys in turn. */
  final List<Message> messages(int count, int keys) {
    return IntStream.range(0, count).mapToObj(i -> message("key-" + i % keys, "m" + i)).toList();
  }

  /** Publishes, and waits until the broker has accepted all. */
  final List<Message> publish(List<Message> messages) {
    try (Sender sender =
        new Sender(fixture.publisher(), PublisherContractTests.DELIVERY_TIME_MAX)) {
      assertThat(sender.sendAll(messages)).allMatch(Outcome.Published.class::isInstance);
    }
    return messages;
  }

  /** Publishes as a relay does after an outage: all again, in order, until all is accepted. */
  final List<Message> publishInTheEnd(List<Message> messages) {
    await("the broker accepts all", () -> isAccepted(messages));
    return messages;
  }

  private boolean isAccepted(List<Message> messages) {
    try (Sender sender =
        new Sender(fixture.publisher(), PublisherContractTests.DELIVERY_TIME_MAX)) {
      return sender.sendAll(messages).stream().allMatch(Outcome.Published.class::isInstance);
    }
  }

  final List<Message> publish(Message... messages) {
    return publish(List.of(messages));
  }

  final void awaitHandled(Collection<Message> messages) {
    List<String> ids = ids(messages);
    await(
        () -> "handled " + store.handled().size() + ", parked " + store.parked().size(),
        () -> handledIds().containsAll(ids));
  }

  final List<String> handledIds() {
    return ids(store.handled());
  }

  static List<String> ids(List<Received> messages) {
    return messages.stream().map(Received::id).toList();
  }

  static List<String> ids(Collection<Message> messages) {
    return messages.stream().map(Message::id).map(Object::toString).toList();
  }

  /**
   * Asserts that each of the messages was handled once, and those of a key in order, where the
   * broker keeps one.
   */
  final void assertHandledOnceInOrder(List<Message> messages) {
    assertThat(handledIds()).containsExactlyInAnyOrderElementsOf(ids(messages));
    assertInOrder(messages, store.handled());
  }

  final void assertInOrder(List<Message> messages, List<Received> arrived) {
    if (!fixture.isOrdered()) {
      return;
    }
    for (Object key : messages.stream().map(Message::key).distinct().toList()) {
      List<Message> expected = messages.stream().filter(m -> key.equals(m.key())).toList();
      List<Received> found = arrived.stream().filter(m -> key.equals(m.key())).toList();
      assertThat(ids(found).stream().distinct()).containsExactlyElementsOf(ids(expected));
    }
  }

  final void await(String what, BooleanSupplier condition) {
    await(() -> what, condition);
  }

  final void await(Supplier<String> what, BooleanSupplier condition) {
    long until = time.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (time.nanoTime() - until >= 0) {
        throw new AssertionError("not within " + PATIENCE + ": " + what.get() + "; " + events);
      }
      letPass(Duration.ofMillis(5));
    }
  }

  /** For what nothing tells of, such as a failed attempt to connect. */
  final void letPass(Duration time) {
    try {
      assertThat(never.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting", e);
    }
  }

  final void assertClosesInTime(OpenReceiver receiver) {
    long before = time.nanoTime();
    receiver.close();
    assertThat(Duration.ofNanos(time.nanoTime() - before)).isLessThan(CLOSE_MAX);
    assertThat(receiver.isRunning()).isFalse();
  }
}
