// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.ParkedReceipt;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.ParkedRetries;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.ParkedState;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A receiver over the database: what it parks, in which order it goes on, and what comes once. */
abstract class ReceivingContractTests extends DatabaseContractTests {

  private static final Backoff AT_ONCE = new Backoff(Duration.ofNanos(1), Duration.ofNanos(1));
  private static final ReceiverOptions OPTIONS =
      ReceiverOptions.DEFAULT
          .withRetry(RetryPolicy.DEFAULT.withBackoff(AT_ONCE))
          .withBackoff(AT_ONCE);

  private final ScriptedSource source = new ScriptedSource();
  private final Moment clock = new Moment();
  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final List<ReceiverEvent> events = new CopyOnWriteArrayList<>();

  /** What happens to messages by id; none for those that succeed. */
  private final Map<String, Throwable> failures = new HashMap<>();

  private Outledger outledger;
  private CountDownLatch entered = new CountDownLatch(0);
  private CountDownLatch goOn = new CountDownLatch(0);
  private String slow = "";

  @BeforeEach
  final void start() {
    outledger = Outledger.builder(dataSource()).build();
  }

  @AfterEach
  final void stop() {
    outledger.close();
  }

  /** A clock that a test moves. */
  private static final class Moment implements TimeSource {
    private final AtomicLong nanos = new AtomicLong();

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

  private JdbcInbox inbox() {
    return outledger.inbox("stock");
  }

  private Receiver<Integer> receiver(ReceiverOptions options) {
    ReceiverContext context =
        new ReceiverContext("test", options, events::add, clock, new SplittableRandom(1));
    return new Receiver<>(inbox().handler(this::handle), context);
  }

  private static void retry(Receiver<Integer> receiver) {
    ParkedRetries retries = receiver.retries().orElseThrow();
    for (int idle = 0; idle < 3; idle++) {
      idle = retries.step() > 0 ? -1 : idle;
    }
  }

  private List<ParkedReceipt> parked() {
    return inbox().parked().list(ParkedSelection.ALL, 0, 100);
  }

  private List<String> parked(ParkedState state) {
    return parked().stream()
        .filter(row -> row.state() == state)
        .map(row -> row.message().id())
        .toList();
  }

  private static Received message(@Nullable String key, String id) {
    return new Received(
        "shop", id, "orders", key, "order", 1, new byte[] {7}, Map.of("a", "ü"), null, "place");
  }

  /** A message of a topic, whose key belongs to a place. */
  private static Received message(String id, String topic, String keySpace) {
    return new Received(
        "shop", id, topic, "7", "t", 1, new byte[0], Map.of(), null, "place", keySpace);
  }

  private void fail(String... ids) {
    for (String id : ids) {
      failures.put(id, new IllegalStateException("no stock for " + id));
    }
  }

  @Test
  final void poisonMessageHoldsItsKeyAndNoOther() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    fail("1");
    source.add(message("a", "1"), message("b", "2"), message("a", "3"), message(null, "4"));
    receiver.step(source);
    source.add(message("a", "5"), message("b", "6"));
    receiver.step(source);
    assertThat(effects).containsExactly("2", "4", "6");
    assertThat(source.committed()).isEqualTo(6);
    assertThat(source.pauses).isEmpty();
    assertThat(parked(ParkedState.RETRYING)).containsExactly("1");
    assertThat(parked(ParkedState.HELD)).containsExactly("3", "5");
    ParkedReceipt first = parked().get(0);
    assertThat(first.error()).contains("no stock for 1");
    assertThat(first.attempts()).isEqualTo(1);
    assertThat(first.message().headers()).isEqualTo(Map.of("a", "ü"));
    assertThat(first.message().payload()).containsExactly(7);
    assertThat(first.message().inboxId()).isEqualTo(message("a", "1").inboxId());

    failures.clear();
    retry(receiver);
    source.add(message("a", "7"));
    receiver.step(source);
    assertThat(effects).containsExactly("2", "4", "6", "1", "3", "5", "7");
    assertThat(parked()).isEmpty();
  }

  @Test
  final void errorIsAFailureOfItsMessage() {
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(2)));
    failures.put("2", new OutOfMemoryError("planted"));
    source.add(message("b", "2"), message("a", "1"), message("c", "3"));
    receiver.step(source);
    assertThat(effects).containsExactly("1", "3");
    assertThat(source.pauses).isEmpty();
    assertThat(parked(ParkedState.RETRYING)).containsExactly("2");
    retry(receiver);
    assertThat(parked(ParkedState.DEAD)).containsExactly("2");
    assertThat(parked().get(0).error()).contains("OutOfMemoryError", "planted");
  }

  /** Invoice 7 and order 7 are two things. */
  @Test
  final void keyHoldsNoneOfTheSameNameThatBelongsElsewhere() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    fail("1", "2");
    source.add(message("1", "orders", "orders"), message("2", "invoices", "invoices"));
    receiver.step(source);
    assertThat(parked(ParkedState.RETRYING)).containsExactly("1", "2");
    source.add(message("3", "orders", "orders"), message("4", "mails", "mails"));
    receiver.step(source);
    assertThat(effects).containsExactly("4");
    assertThat(parked(ParkedState.HELD)).containsExactly("3");
    failures.remove("1");
    retry(receiver);
    assertThat(effects).containsExactly("4", "1", "3");
    assertThat(parked()).extracting(row -> row.message().keySpace()).containsExactly("invoices");
    failures.clear();
    retry(receiver);
    assertThat(effects).containsExactly("4", "1", "3", "2");
  }

  @Test
  final void keyHoldsItsFollowersInOtherTopicsOfItsSpace() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    fail("1");
    source.add(message("1", "orders.placed", "shop"), message("2", "orders.paid", "shop"));
    receiver.step(source);
    assertThat(effects).isEmpty();
    assertThat(parked(ParkedState.HELD)).containsExactly("2");
    failures.clear();
    retry(receiver);
    assertThat(effects).containsExactly("1", "2");
  }

  @Test
  final void deadLetterLetsItsKeyGoOnAndIsRetriedBesideTheSameNameElsewhere() {
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(1)));
    fail("1");
    source.add(message("1", "orders", "orders"), message("2", "invoices", "invoices"));
    source.add(message("3", "orders", "orders"));
    receiver.step(source);
    assertThat(effects).containsExactly("2", "3");
    failures.clear();
    assertThat(inbox().parked().retry(ParkedSelection.ALL.withKey("7"))).isEqualTo(1);
    retry(receiver);
    assertThat(effects).containsExactly("2", "3", "1");
  }

  @Test
  final void messageWithoutAKeyHoldsNothing() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    fail("1");
    source.add(message(null, "1"), message(null, "2"));
    receiver.step(source);
    assertThat(effects).containsExactly("2");
    failures.clear();
    retry(receiver);
    assertThat(effects).containsExactly("2", "1");
  }

  @Test
  final void whatWasParkedBeforeACrashIsNeitherLostNorDoubled() {
    fail("1");
    source.add(message("a", "1"), message("a", "2"), message(null, "3"));
    receiver(OPTIONS).step(source);
    source.rewind(0); // it was parked, and the broker never learned of it
    Receiver<Integer> successor = receiver(OPTIONS);
    successor.step(source);
    assertThat(parked()).hasSize(2);
    assertThat(effects).containsExactly("3");
    failures.clear();
    retry(successor);
    source.rewind(0);
    successor.step(source);
    assertThat(effects).containsExactly("3", "1", "2");
    assertThat(parked()).isEmpty();
  }

  @Test
  final void deadLettersKeyGoesOnWithoutIt() {
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(2)));
    fail("1");
    source.add(message("a", "1"), message("a", "2"));
    receiver.step(source);
    retry(receiver);
    assertThat(parked(ParkedState.DEAD)).containsExactly("1");
    assertThat(effects).containsExactly("2");
    failures.clear(); // a broker that delivers it again is no operator who wants it retried
    source.rewind(0);
    source.add(message("a", "3"));
    receiver.step(source);
    assertThat(effects).containsExactly("2", "3");
    assertThat(parked(ParkedState.DEAD)).containsExactly("1");
  }

  @Test
  final void deadLetterBlocksItsKeyWhereThatIsTheChoice() {
    RetryPolicy blocking =
        OPTIONS.retry().withAttemptsMax(1).withDeadLetter(RetryPolicy.DeadLetter.KEY_STAYS_BLOCKED);
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(blocking));
    fail("1");
    source.add(message("a", "1"), message("a", "2"));
    receiver.step(source);
    retry(receiver);
    assertThat(parked(ParkedState.DEAD)).containsExactly("1");
    assertThat(parked(ParkedState.HELD)).containsExactly("2");
    assertThat(inbox().parked().discard(ParkedSelection.of(ParkedState.DEAD))).isEqualTo(1);
    retry(receiver);
    assertThat(effects).containsExactly("2");
    failures.clear();
    source.rewind(0);
    receiver.step(source);
    assertThat(effects).containsExactly("2"); // what was discarded stays so
  }

  @Test
  final void deadLetterIsRetriedOnRequest() {
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(1)));
    fail("1", "2");
    source.add(message("a", "1"), message("b", "2"), message("c", "3"));
    receiver.step(source);
    long number = parked().get(0).number();
    retry(receiver);
    assertThat(effects).containsExactly("3");
    failures.clear();
    assertThat(inbox().parked().retry(number)).isTrue();
    assertThat(inbox().parked().retry(number + 100)).isFalse();
    retry(receiver);
    assertThat(effects).containsExactly("3", "1");
    assertThat(inbox().parked().retry(ParkedSelection.ALL.withErrorText("stock"))).isEqualTo(1);
    retry(receiver);
    assertThat(effects).containsExactly("3", "1", "2");
  }

  @Test
  final void messageThatCannotSucceedDiesAtOnce() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    failures.put("1", new InvalidMessageException(ErrorCode.UNREADABLE_PAYLOAD, "no JSON"));
    source.add(message("a", "1"), message("a", "2"));
    receiver.step(source);
    assertThat(parked(ParkedState.DEAD)).containsExactly("1");
    assertThat(effects).containsExactly("2");
  }

  @Test
  final void outageParksNothingAndPauses() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    failures.put("1", new DestinationUnavailableException("the bank is closed", null));
    source.add(message("a", "1"), message("b", "2"));
    receiver.step(source);
    receiver.step(source);
    assertThat(source.pauses).hasSize(2);
    assertThat(parked()).isEmpty();
    failures.clear();
    receiver.step(source);
    receiver.step(source);
    assertThat(effects).containsExactly("1", "2");
  }

  @Test
  final void handlerThatFailsForEverythingPausesTheStreamAndParksLittle() {
    BreakerPolicy breaker =
        new BreakerPolicy(
            3,
            Duration.ofMinutes(1),
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)),
            100);
    Receiver<Integer> receiver = receiver(OPTIONS.withBreaker(breaker));
    for (int i = 0; i < 10; i++) {
      fail("m" + i);
      source.add(message("k" + i, "m" + i), message("k" + i, "behind m" + i));
    }
    for (int i = 0; i < 20; i++) {
      receiver.step(source);
      retry(receiver);
      clock.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    }
    assertThat(parked(ParkedState.RETRYING)).containsExactly("m0", "m1");
    assertThat(parked(ParkedState.HELD)).containsExactly("behind m0", "behind m1");
    assertThat(parked()).allMatch(row -> row.attempts() <= 2);
    assertThat(parked().get(0).error()).contains("no stock for m0"); // and not of the breaker
    assertThat(source.committed()).isEqualTo(4);
    assertThat(events).hasAtLeastOneElementOfType(ReceiverEvent.BreakerOpened.class);
    failures.clear();
    receiver.step(source);
    receiver.step(source);
    fixture().letPass(Duration.ofSeconds(1));
    retry(receiver);
    assertThat(effects).hasSize(20).doesNotHaveDuplicates();
    assertThat(events).hasAtLeastOneElementOfType(ReceiverEvent.BreakerClosed.class);
  }

  @Test
  final void streamPausesWhereNothingMoreMayBeParked() {
    Receiver<Integer> receiver = receiver(OPTIONS.withParkedMax(2));
    fail("1");
    source.add(message("a", "1"), message("a", "2"), message("b", "3"), message("a", "4"));
    receiver.step(source);
    assertThat(effects).containsExactly("3");
    assertThat(source.committed()).isEqualTo(3);
    assertThat(events).hasAtLeastOneElementOfType(ReceiverEvent.Full.class);
    failures.clear();
    retry(receiver);
    receiver.step(source);
    assertThat(effects).containsExactly("3", "1", "2", "4");
  }

  /** Otherwise what was parked would stay there for good, and its keys would lose their order. */
  @Test
  final void whatWasParkedIsRetriedWhereNothingMoreIsParked() {
    fail("1", "4");
    source.add(message("a", "1"));
    receiver(OPTIONS).step(source);
    Receiver<Integer> strict = receiver(OPTIONS.withoutParking());
    source.add(message("a", "2"), message("b", "3"));
    strict.step(source);
    source.add(message("c", "4"), message("d", "5"));
    strict.step(source);
    assertThat(effects).containsExactly("3");
    assertThat(parked(ParkedState.RETRYING)).containsExactly("1");
    assertThat(parked(ParkedState.HELD)).containsExactly("2");
    assertThat(source.committed()).isEqualTo(3);
    assertThat(source.pauses).hasSize(1);
    failures.clear();
    retry(strict);
    strict.step(source);
    strict.step(source);
    assertThat(effects).containsExactly("3", "1", "2", "4", "5");
    assertThat(parked()).isEmpty();
  }

  @Test
  final void newerMessageOfAKeyIsHeldWhileAnOlderOneIsTried() throws Exception {
    Receiver<Integer> receiver = receiver(OPTIONS);
    fail("1");
    source.add(message("a", "1"));
    receiver.step(source);
    failures.clear();
    CompletableFuture<Void> retrying = runSlowly("1", () -> retry(receiver));
    Receiver<Integer> other = receiver(OPTIONS);
    source.add(message("a", "2"));
    other.step(source);
    assertThat(other.retries().orElseThrow().step()).isZero();
    assertThat(source.committed()).isEqualTo(2);
    assertThat(effects).isEmpty();
    goOn.countDown();
    retrying.get(30, TimeUnit.SECONDS);
    retry(other);
    assertThat(effects).containsExactly("1", "2");
  }

  @Test
  final void deadLetterIsNotRetriedWhileANewerMessageOfItsKeyIsProcessed() throws Exception {
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(1)));
    fail("1");
    source.add(message("a", "1"));
    receiver.step(source);
    failures.clear();
    source.add(message("a", "2"));
    CompletableFuture<Void> newer = runSlowly("2", () -> receiver.step(source));
    assertThat(inbox().parked().retry(ParkedSelection.ALL)).isEqualTo(1);
    CompletableFuture<Void> older =
        CompletableFuture.runAsync(
            () -> {
              Receiver<Integer> other = receiver(OPTIONS);
              while (effects.size() < 2) {
                retry(other);
              }
            });
    assertThat(effects).isEmpty();
    goOn.countDown();
    newer.get(30, TimeUnit.SECONDS);
    older.get(30, TimeUnit.SECONDS);
    assertThat(effects).containsExactly("2", "1");
  }

  private CompletableFuture<Void> runSlowly(String id, Runnable run) throws InterruptedException {
    slow = id;
    entered = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    CompletableFuture<Void> running = CompletableFuture.runAsync(run);
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    return running;
  }
}
