// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.Reader;
import io.outledger.receive.ParkedRetries;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import io.outledger.receive.ReceiverStore;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.ParkedState;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A receiver over the database, a step a call, and the sentences in which the tests are told. */
abstract class ReceivedContractTests extends DatabaseContractTests {

  private static final Backoff AT_ONCE = new Backoff(Duration.ofNanos(1), Duration.ofNanos(1));
  static final ReceiverOptions OPTIONS =
      ReceiverOptions.DEFAULT
          .withRetry(RetryPolicy.DEFAULT.withBackoff(AT_ONCE))
          .withBackoff(AT_ONCE);

  final ScriptedSource source = new ScriptedSource();
  final Moment clock = new Moment();
  final List<String> effects = new CopyOnWriteArrayList<>();

  /** Each call of the handler: the message's id, and the number of the transaction. */
  final List<String> calls = new CopyOnWriteArrayList<>();

  final List<ReceiverEvent> events = new CopyOnWriteArrayList<>();

  /** What happens to messages by id; none for those that succeed. */
  final Map<String, Throwable> failures = new HashMap<>();

  private final List<Connection> transactions = new ArrayList<>();
  private Outledger outledger;
  CountDownLatch entered = new CountDownLatch(0);
  CountDownLatch goOn = new CountDownLatch(0);
  String slow = "";

  @BeforeEach
  final void start() {
    outledger = Outledger.builder(dataSource()).build();
  }

  @AfterEach
  final void stop() {
    outledger.close();
  }

  /** A clock that a test moves. */
  static final class Moment implements TimeSource {
    final AtomicLong nanos = new AtomicLong();

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos.get());
    }

    @Override
    public long nanoTime() {
      return nanos.get();
    }
  }

  private void handle(Connection connection, Received message) throws Exception {
    calls.add(message.id() + " in " + number(connection));
    if (message.id().equals(slow)) {
      entered.countDown();
      assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
    }
    Throwable failure = failures.get(message.id());
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof Exception exception) {
      throw exception;
    }
    effects.add(message.id());
  }

  /** A transaction has a connection object of its own. */
  private synchronized int number(Connection connection) {
    for (int i = 0; i < transactions.size(); i++) {
      if (transactions.get(i) == connection) {
        return i;
      }
    }
    transactions.add(connection);
    return transactions.size() - 1;
  }

  final JdbcInbox inbox() {
    return outledger.inbox("stock");
  }

  final Receiver<Integer> receiver(ReceiverOptions options) {
    ReceiverContext context =
        new ReceiverContext("test", options, events::add, clock, new SplittableRandom(1));
    return new Receiver<>(inbox().handler(this::handle), context);
  }

  /** Returns the store of another instance of the consumer. */
  final ReceiverStore store() {
    return ((ParkingHandler) inbox().handler(this::handle)).store();
  }

  static void retry(Receiver<Integer> receiver) {
    ParkedRetries retries = receiver.retries().orElseThrow();
    for (int idle = 0; idle < 3; idle++) {
      idle = retries.step() > 0 ? -1 : idle;
    }
  }

  final List<Parked> parked() {
    return parkedOf(Reader.consumer("stock"));
  }

  final List<String> parked(ParkedState state) {
    return parked().stream()
        .filter(row -> row.state() == state)
        .map(row -> row.message().id())
        .toList();
  }

  static Received message(@Nullable String key, String id) {
    return new Received(
        "shop", id, "orders", key, "order", 1, new byte[] {7}, Map.of("a", "ü"), null, "place", "");
  }

  /** A message of a topic, whose key belongs to a place. */
  static Received message(String id, String topic, String keySpace) {
    return new Received(
        "shop", id, topic, "7", "t", 1, new byte[0], Map.of(), null, "place", keySpace);
  }

  final void fail(String... ids) {
    for (String id : ids) {
      failures.put(id, new IllegalStateException("no stock for " + id));
    }
  }
}
