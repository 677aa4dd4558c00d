// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.Received;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.ParkedState;
import io.outledger.testing.InMemoryReceiverStore;
import io.outledger.testing.ParkedReceivedRow;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A receiver with its retries, a step a call, over streams and a database in memory. */
final class ReceiverBench {

  static final Duration STEP = Duration.ofMillis(50);
  private static final Backoff SOON = new Backoff(Duration.ofMillis(50), Duration.ofMillis(200));

  final SettableClock clock = new SettableClock();
  final List<ReceiverEvent> events = new ArrayList<>();
  final InMemoryReceiverStore store =
      new InMemoryReceiverStore("stock", clock, (message, attempt) -> work(message));
  private final Map<String, Received> sent = new LinkedHashMap<>();
  private final MemoryStreams streams;

  ReceiverOptions options =
      ReceiverOptions.DEFAULT
          .withRetry(RetryPolicy.DEFAULT.withAttemptsMax(1_000).withBackoff(SOON))
          .withBackoff(SOON);

  /** What the handling of a message throws; null where it succeeds. */
  Function<Received, @Nullable Throwable> meets = message -> null;

  private @Nullable Receiver<String> receiver;
  private @Nullable QueueSource<String> source;

  ReceiverBench(int pageMax) {
    this.streams = new MemoryStreams(pageMax);
  }

  private void work(Received message) throws Exception {
    Throwable thrown = meets.apply(message);
    if (thrown != null) {
      throw ReceiverBench.<Exception>any(thrown);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> X any(Throwable thrown) throws X {
    throw (X) thrown;
  }

  /** Sends a message of the only topic to a stream. */
  Received send(String stream, @Nullable String key, String type, String id) {
    Received message =
        new Received("/shop", id, "orders", key, type, 1, new byte[0], Map.of(), null, "", "o");
    sent.put(id, message);
    streams.add(stream, message);
    return message;
  }

  /** Begins anew, as after a crash: what was not acknowledged comes again. */
  void restart() {
    receiver =
        new Receiver<>(
            store.handler(),
            new ReceiverContext("bench", options, events::add, clock, new SplittableRandom(1)));
    source = new QueueSource<>(streams.open(), clock, pause -> {}, () -> false);
  }

  void steps(int count) {
    for (int i = 0; i < count; i++) {
      step();
    }
  }

  void step() {
    if (receiver == null) {
      restart();
    }
    Receiver<String> running = Objects.requireNonNull(receiver, "it runs");
    running.step(Objects.requireNonNull(source, "it runs"));
    running.retries().orElseThrow().step();
    clock.advance(STEP);
    List<String> told = streams.takeAcknowledged();
    if (!told.isEmpty()) {
      assertThat(ended().collect(Collectors.toSet()).containsAll(told)).as("%s", told).isTrue();
    }
  }

  /** Returns the ids of those that took effect or are parked. */
  private Stream<String> ended() {
    return Stream.concat(
        handled().stream(), store.parked().stream().map(row -> row.message().id()));
  }

  private static List<String> sorted(Collection<String> ids) {
    return ids.stream().sorted().toList();
  }

  List<String> handled() {
    return store.handled().stream().map(Received::id).toList();
  }

  List<String> handledOf(String key) {
    return store.handled().stream()
        .filter(message -> key.equals(message.key()))
        .map(Received::id)
        .toList();
  }

  List<String> sentOf(String key) {
    return sent.values().stream()
        .filter(message -> key.equals(message.key()))
        .map(Received::id)
        .toList();
  }

  List<ParkedReceivedRow> parked(ParkedState state) {
    return store.parked().stream().filter(row -> row.state() == state).toList();
  }

  List<String> parkedIds(ParkedState state) {
    return parked(state).stream().map(row -> row.message().id()).toList();
  }

  <E extends ReceiverEvent> List<E> events(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Asserts that all that was sent took effect once, in the order of each key. */
  void assertAllHandledOnceInOrder() {
    assertThat(handled().stream().sorted()).containsExactlyElementsOf(sorted(sent.keySet()));
    sent.values().stream()
        .map(Received::key)
        .filter(Objects::nonNull)
        .distinct()
        .forEach(key -> assertThat(handledOf(key)).containsExactlyElementsOf(sentOf(key)));
  }
}
