// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.Received;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.ParkedReceived;
import io.outledger.receive.ParkedRetries;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import io.outledger.receive.RunningRetries;
import io.outledger.receive.Source;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.store.ParkedState;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a receiver that parks ends, and what it says of outages. */
@Timeout(60)
class ParkingReceiverTest {

  private static final Backoff AT_ONCE = new Backoff(Duration.ofNanos(1), Duration.ofNanos(1));
  private static final ReceiverOptions OPTIONS =
      ReceiverOptions.DEFAULT
          .withRetry(ReceiverOptions.DEFAULT.retry().withBackoff(AT_ONCE))
          .withBackoff(AT_ONCE);

  private final Stream stream = new Stream();
  private final FaultyTime time = new FaultyTime();
  private final List<ReceiverEvent> events = new CopyOnWriteArrayList<>();
  private final InMemoryReceiverStore store =
      new InMemoryReceiverStore("stock", time, (message, attempt) -> work(message, attempt));
  private volatile Work work = (message, attempt) -> {};

  /** What happens to a message. */
  private interface Work {
    void on(Received message, int attempt) throws Exception;
  }

  private void work(Received message, int attempt) throws Exception {
    work.on(message, attempt);
  }

  @Test
  void closingRetriesTryNoFurtherMessage() throws Exception {
    Receiver<Integer> receiver = parkAll("1", "2", "3");
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    work =
        (message, attempt) -> {
          entered.countDown();
          assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
        };
    Thread closing = closing(RunningRetries.start(retries(receiver)), entered);
    goOn.countDown();
    closing.join();
    assertThat(store.handled()).hasSize(1);
    assertThat(store.parked()).hasSize(2);
  }

  @Test
  void closingRetriesCountNoAttemptOfAMessageThatTheyInterrupt() throws Exception {
    Receiver<Integer> receiver = parkAll("1");
    CountDownLatch entered = new CountDownLatch(1);
    work =
        (message, attempt) -> {
          entered.countDown();
          sleepLikeAHandler();
        };
    Thread closing = closing(RunningRetries.start(retries(receiver)), entered);
    closing.interrupt();
    closing.join();
    while (events.stream().noneMatch(ReceiverEvent.Unavailable.class::isInstance)) {
      Thread.onSpinWait();
    }
    assertThat(store.parked()).allMatch(row -> row.attempts() == 1).hasSize(1);
  }

  /** Interrupted, it throws what says so in its cause alone, as most handlers do. */
  private static void sleepLikeAHandler() {
    try {
      assertThat(new CountDownLatch(1).await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Closes on a thread of its own, and returns once that waits. */
  private static Thread closing(RunningRetries running, CountDownLatch entered) throws Exception {
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    Thread closing = new Thread(running::close);
    closing.start();
    while (closing.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return closing;
  }

  @Test
  void retriesThatFailWaitBeforeTheNextStep() throws Exception {
    Receiver<Integer> receiver = parkAll("1");
    time.failures = new CountDownLatch(5); // two a step: its own, and the log's
    long before = System.nanoTime();
    try (RunningRetries running = RunningRetries.start(retries(receiver))) {
      assertThat(time.failures.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(System.nanoTime() - before).isGreaterThan(Duration.ofSeconds(2).toNanos());
      assertThat(running).isNotNull();
    }
  }

  @Test
  void closingReceiverFinishesTheMessageAtHandAndNoFurtherOne() {
    List<Integer> calls = new ArrayList<>();
    work =
        (message, attempt) -> {
          calls.add(attempt);
          stream.stopping = calls.size() == 2; // the first call was for the whole batch
          throw new IllegalStateException("fails on purpose");
        };
    receiver(OPTIONS).step(stream.of("1", "2", "3"));
    assertThat(calls).hasSize(2);
    assertThat(stream.acknowledged).containsExactly("1");
  }

  @Test
  void closingReceiverParksNothingThatItInterrupts() {
    work =
        (message, attempt) -> {
          stream.stopping = true;
          throw new IllegalStateException("interrupted", new InterruptedException());
        };
    receiver(OPTIONS).step(stream.of("1"));
    assertThat(store.parked()).isEmpty();
    assertThat(stream.acknowledged).isEmpty();
  }

  @Test
  void messageThatSomebodyElseHasTriedSinceItWasListedIsNotTried() throws Exception {
    Receiver<Integer> receiver = parkAll("1");
    ParkedReceived listed = store.due(10).get(0);
    List<Integer> attempts = new ArrayList<>();
    work =
        (message, attempt) -> {
          attempts.add(attempt);
          throw new IllegalStateException("fails on purpose");
        };
    retries(receiver).step();
    work = (message, attempt) -> attempts.add(attempt);
    assertThat(store.retry(listed)).isFalse();
    assertThat(attempts).containsExactly(2);
    assertThat(store.retry(store.due(10).get(0))).isTrue();
    assertThat(attempts).containsExactly(2, 3);
  }

  /** Otherwise one message would stop its stream for good. */
  @Test
  void messageWhoseHandlerInterruptsItselfIsParked() {
    work =
        (message, attempt) -> {
          throw new IllegalStateException("took too long", new InterruptedException());
        };
    receiver(OPTIONS).step(stream.of("1"));
    assertThat(store.parked()).hasSize(1);
  }

  @Test
  void messageWhoseHandlerThrowsAnInterruptOfItsOwnIsParkedAndOthersAreHandled() {
    work =
        (message, attempt) -> {
          if (message.id().equals("2")) {
            throw new InterruptedException("thrown by the handler");
          }
        };
    receiver(OPTIONS).step(stream.of("1", "2", "3"));
    assertThat(stream.acknowledged).containsExactly("1", "2", "3");
    assertThat(store.handled()).hasSize(2);
    assertThat(store.parked()).allMatch(row -> row.attempts() == 1).hasSize(1);
  }

  @Test
  void retryWhoseHandlerThrowsAnInterruptOfItsOwnIsAnAttempt() {
    Receiver<Integer> receiver = parkAll("1");
    work =
        (message, attempt) -> {
          throw new InterruptedException("thrown by the handler");
        };
    assertThat(retries(receiver).step()).isZero();
    assertThat(store.parked()).allMatch(row -> row.attempts() == 2).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"SCHEMA_PENDING", "SAGA_UNREADABLE"})
  void messageThatCannotBeReadYetWaitsAndNoAttemptCounts(ErrorCode code) {
    work =
        (message, attempt) -> {
          throw new StoreException(code, "not yet");
        };
    Receiver<Integer> receiver = receiver(OPTIONS);
    receiver.step(stream.of("1"));
    for (int i = 0; i < 2 * OPTIONS.retry().attemptsMax(); i++) {
      askForAll();
      assertThat(retries(receiver).step()).isZero();
    }
    assertThat(store.parked())
        .allMatch(row -> row.state() == ParkedState.RETRYING && row.attempts() == 0)
        .hasSize(1);
    work = (message, attempt) -> {};
    askForAll();
    assertThat(retries(receiver).step()).isOne();
    assertThat(store.handled()).hasSize(1);
  }

  /** What waits for another build waits for longer than a moment. */
  private void askForAll() {
    store.parked().forEach(row -> store.requestRetry(row.number()));
  }

  @Test
  void closingReceiverTriesNoMessageOfABatchThatItInterruptsAgain() {
    List<Integer> calls = new ArrayList<>();
    work =
        (message, attempt) -> {
          calls.add(attempt);
          stream.stopping = true;
          throw new InterruptedException();
        };
    receiver(OPTIONS).step(stream.of("1", "2"));
    assertThat(calls).hasSize(1);
    assertThat(events).isEmpty();
    assertThat(store.parked()).isEmpty();
    assertThat(stream.acknowledged).isEmpty();
  }

  @Test
  void outageIsTold() {
    store.takeAway();
    receiver(OPTIONS).step(stream.of("1"));
    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            ReceiverEvent.Unavailable.class,
            told -> {
              assertThat(told.message().id().id()).isEqualTo("1");
              assertThat(told.reason()).contains("OUT-016");
            });
  }

  @Test
  void outageBeforeTransactionsOfTheirOwnIsToldAndWaitedFor() {
    store.takeAway();
    Receiver<Integer> receiver = receiver(OPTIONS.withTransactionPerMessage());
    receiver.step(stream.of("1", "2"));
    assertThat(events).singleElement().isInstanceOf(ReceiverEvent.Unavailable.class);
    assertThat(stream.acknowledged).isEmpty();
    store.bringBack();
    receiver.step(stream.of("1", "2"));
    receiver.step(stream.of("1", "2"));
    assertThat(store.handled()).hasSize(2);
  }

  @Test
  void breakerThatPutsOffARetryDoesNotHideWhyTheMessageFailed() {
    Backoff minute = new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(1));
    Receiver<Integer> receiver =
        receiver(OPTIONS.withBreaker(new BreakerPolicy(2, Duration.ofHours(1), minute, 1)));
    work =
        (message, attempt) -> {
          throw new IllegalStateException("no stock for " + message.id());
        };
    receiver.step(stream.of("1", "2"));
    assertThat(retries(receiver).step()).isZero();
    assertThat(store.parked())
        .singleElement()
        .satisfies(row -> assertThat(row.reason()).contains("no stock for 1"));
  }

  /** Returns a receiver that has parked messages, each with a key of its own. */
  private Receiver<Integer> parkAll(String... ids) {
    work =
        (message, attempt) -> {
          throw new IllegalStateException("fails on purpose");
        };
    Receiver<Integer> receiver = receiver(OPTIONS);
    receiver.step(stream.of(ids));
    assertThat(store.parked()).hasSize(ids.length);
    return receiver;
  }

  private Receiver<Integer> receiver(ReceiverOptions options) {
    return new Receiver<>(
        store.handler(),
        new ReceiverContext("test", options, events::add, time, new SplittableRandom(1)));
  }

  private static ParkedRetries retries(Receiver<Integer> receiver) {
    return receiver.retries().orElseThrow();
  }

  /** The system's time, until it fails. */
  private static final class FaultyTime implements TimeSource {

    private volatile CountDownLatch failures = new CountDownLatch(0);

    @Override
    public Instant now() {
      return TimeSource.system().now();
    }

    @Override
    public long nanoTime() {
      if (failures.getCount() > 0) {
        failures.countDown();
        throw new AssertionError("fails on purpose");
      }
      return TimeSource.system().nanoTime();
    }
  }

  /** One stream in memory. */
  private static final class Stream implements Source<Integer> {

    private final List<String> acknowledged = new ArrayList<>();
    private List<Arrival<Integer>> arrivals = List.of();
    private boolean stopping;

    Stream of(String... ids) {
      List<Arrival<Integer>> all = new ArrayList<>();
      for (String id : ids) {
        all.add(
            new Arrival<>(
                all.size(),
                1,
                new Received(
                    "shop", id, "orders", id, "order", 1, new byte[0], Map.of(), null, "", ""),
                null));
      }
      arrivals = List.copyOf(all);
      return this;
    }

    @Override
    public List<Batch<Integer>> receive() {
      return List.of(new Batch<>("stream", arrivals));
    }

    @Override
    public void acknowledge(List<Arrival<Integer>> done) {
      for (Arrival<Integer> arrival : done) {
        Received message = arrival.message();
        if (message != null) {
          acknowledged.add(message.id());
        }
      }
    }

    @Override
    public void giveBack(Batch<Integer> rest, Duration delay, boolean wantsMore) {}

    @Override
    public void setAside(Arrival<Integer> unreadable) {
      throw new IllegalStateException("all are messages");
    }

    @Override
    public void commit() {}

    @Override
    public boolean isStopping() {
      return stopping;
    }
  }
}
