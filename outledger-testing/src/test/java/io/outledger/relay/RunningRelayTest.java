// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On real threads: whatever is waited for is told by the relay's listener. */
@Timeout(60)
class RunningRelayTest {

  private static final TimeSource TIME = TimeSource.system();
  private static final String CLOSED = "the relay was closed before it handed over";
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  private final InMemoryLedger ledger = new InMemoryLedger(TIME);
  private final RecordingPublisher publisher = new RecordingPublisher();
  private final BlockingQueue<RelayEvent> events = new LinkedBlockingQueue<>();

  @AfterEach
  void neverLeaveTheInterruptSet() {
    assertThat(Thread.interrupted()).isFalse();
  }

  private RunningRelay start(Duration handOverMax) {
    return start(relay(publisher, Duration.ofHours(1), new Random(1)), TIME, handOverMax);
  }

  private Relay relay(Publisher destination, Duration lease, Random random) {
    return new Relay(
        ledger.relayStore("test", Start.EARLIEST),
        List.of(Route.only(destination)),
        RelayOptions.builder()
            .lease(lease)
            .polling(p -> p.withIdle(lease))
            .polling(p -> p.withBusy(lease))
            .build(),
        events::add,
        new Relay.Surroundings(TIME, random));
  }

  private RunningRelay start(Relay relay, TimeSource time, Duration handOverMax) {
    RunningRelay running = RunningRelay.start(relay, "test", time, handOverMax);
    ledger.onCommit(running::wake);
    return running;
  }

  private <E extends RelayEvent> E await(Class<E> type, Predicate<E> wanted) {
    try {
      while (true) {
        RelayEvent next = events.poll(50, TimeUnit.SECONDS);
        assertThat(next).as("no %s came", type.getSimpleName()).isNotNull();
        if (type.isInstance(next) && wanted.test(type.cast(next))) {
          return type.cast(next);
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void putInFlight() {
    ledger.inNewTransaction(RelayBench.message("a", 1));
    while (publisher.arrivals().isEmpty()) {
      Thread.onSpinWait();
    }
  }

  private static boolean isAlive(String thread) {
    return threads(thread).anyMatch(Thread::isAlive);
  }

  private static Stream<Thread> threads(String name) {
    return Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().equals(name));
  }

  @Test
  void publishesWhenItIsWokenAndHandsOverWhenItIsClosed() {
    RunningRelay running = start(Duration.ofSeconds(30));
    await(RelayEvent.LeaseTaken.class, taken -> true);
    ledger.inNewTransaction(RelayBench.message("a", 1));
    await(RelayEvent.Saved.class, saved -> saved.published() == 1);
    assertThat(running.state()).isEqualTo(StepReport.State.OWNER);
    running.close();
    await(RelayEvent.LeaseReleased.class, released -> true);
    assertThat(running.state()).isEqualTo(StepReport.State.RELEASED);
    assertThat(publisher.openClients()).isZero();
    assertThat(isAlive("outledger-relay-test")).isFalse();
    running.close();
  }

  @Test
  void relayWithNothingToDoWaits() {
    RunningRelay running = start(Duration.ofSeconds(30));
    await(RelayEvent.LeaseTaken.class, taken -> true);
    Thread runner = threads("outledger-relay-test").findFirst().orElseThrow();
    while (runner.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    running.close();
  }

  @Test
  void threadThatLooksAtTheDeadlineKeepsNoProcessAliveAndEndsWithTheRelay()
      throws InterruptedException {
    RunningRelay running = start(Duration.ofSeconds(30));
    await(RelayEvent.LeaseTaken.class, taken -> true);
    Thread guard = threads("outledger-deadline-test").findFirst().orElseThrow();
    assertThat(guard.isDaemon()).isTrue();
    running.close();
    guard.join(Duration.ofSeconds(20).toMillis());
    assertThat(guard.isAlive()).isFalse();
  }

  @Test
  void publishThatIsStuckIsEndedAtTheDeadline() {
    CountDownLatch closed = new CountDownLatch(1);
    Stuck stuck = new Stuck(new CountDownLatch(1), closed);
    Relay relay = relay(stuck, Duration.ofMillis(500), new Random(1));
    RunningRelay running = start(relay, TIME, Duration.ZERO);
    ledger.inNewTransaction(RelayBench.message("a", 1));
    await(RelayEvent.LeaseLost.class, lost -> lost.reason().startsWith("the lease expired"));
    assertThat(closed.getCount()).isZero();
    running.close();
  }

  /** A destination whose client comes back from a publish only when it is closed. */
  private record Stuck(CountDownLatch entered, CountDownLatch closed) implements Publisher {

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      return new PublisherClient() {
        @Override
        public void publish(long position, int attempt, Message message) {
          entered.countDown();
          try {
            closed.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }

        @Override
        public void flush() {}

        @Override
        public Set<Long> recall() {
          return Set.of();
        }

        @Override
        public void close() {
          closed.countDown();
        }
      };
    }
  }

  @Test
  void stepThatFailsIsTakenAgain() {
    Random failsOnce =
        new Random(1) {
          private static final long serialVersionUID = 1L;
          private boolean failed;

          @Override
          public long nextLong() {
            if (!failed) {
              failed = true;
              throw new IllegalStateException("planted");
            }
            return super.nextLong();
          }
        };
    RunningRelay running =
        start(relay(publisher, Duration.ofHours(1), failsOnce), TIME, Duration.ofSeconds(30));
    await(RelayEvent.LeaseTaken.class, taken -> true);
    running.close();
    await(RelayEvent.LeaseReleased.class, released -> true);
  }

  @Test
  void errorInAStepGivesTheSubscriptionUpAndEndsNoThread() {
    Random failsAfterTheLease =
        new Random(1) {
          private static final long serialVersionUID = 1L;
          private int calls;

          @Override
          public long nextLong() {
            calls++;
            if (calls == 1) {
              throw new StackOverflowError("planted");
            }
            return super.nextLong();
          }
        };
    RunningRelay running =
        start(relay(publisher, Duration.ofHours(1), failsAfterTheLease), TIME, TEN_SECONDS);
    await(RelayEvent.LeaseTaken.class, taken -> true);
    running.close();
    await(RelayEvent.LeaseReleased.class, released -> true);
  }

  @Test
  void interruptThatUserCodeLeavesBehindEndsNothing() {
    AtomicInteger outages = new AtomicInteger();
    RelayListener interrupts =
        event -> {
          events.add(event);
          outages.addAndGet(event instanceof RelayEvent.OutageBegan ? 1 : 0);
          Thread.currentThread().interrupt();
        };
    Transforms alsoInterrupt =
        Transforms.NONE.withFilter(
            Accepts.rule(
                "interrupts",
                message -> {
                  Thread.currentThread().interrupt();
                  return true;
                }));
    RecordingPublisher waiting = new RecordingPublisher(KeyOrder.PIPELINED, new Waiting());
    Relay relay =
        new Relay(
            ledger.relayStore("test", Start.EARLIEST),
            List.of(Route.only(waiting)),
            RelayOptions.builder().transforms(alsoInterrupt).build(),
            interrupts,
            new Relay.Surroundings(TIME, new Random(1)));
    RunningRelay running = start(relay, TIME, TEN_SECONDS);
    for (int number = 1; number <= 3; number++) {
      ledger.inNewTransaction(RelayBench.message("a", number));
      await(RelayEvent.Saved.class, saved -> saved.published() == 1);
    }
    assertThat(running.state()).isEqualTo(StepReport.State.OWNER);
    assertThat(outages).as("calls that an interrupt has failed").hasValue(0);
    running.close();
    await(RelayEvent.LeaseReleased.class, released -> true);
  }

  /** Does what an interrupt fails, as clients of brokers do. */
  private static final class Waiting implements Executor {
    @Override
    public void execute(Runnable task) {
      try {
        new CountDownLatch(0).await();
        task.run();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void closeWaitsForNothingWhereNoTimeIsGiven() {
    publisher.holdOutcomes();
    Relay relay = relay(publisher, Duration.ofHours(1), new Random(1));
    RunningRelay running = start(relay, new SettableClock(), Duration.ZERO);
    await(RelayEvent.LeaseTaken.class, taken -> true);
    putInFlight();
    running.close();
    await(RelayEvent.LeaseLost.class, lost -> lost.reason().equals(CLOSED));
  }

  @Test
  void closeWaitsForWhatIsInFlightButNotForEver() {
    publisher.holdOutcomes();
    RunningRelay running = start(Duration.ofMillis(50));
    await(RelayEvent.LeaseTaken.class, taken -> true);
    putInFlight();
    running.close();
    assertThat(running.state()).isEqualTo(StepReport.State.RELEASED);
    await(RelayEvent.LeaseLost.class, lost -> lost.reason().equals(CLOSED));
    assertThat(ledger.subscription("test").newest().released()).isFalse();
  }

  @Test
  void closeMayTakeAnyTime() {
    RunningRelay running = start(ChronoUnit.FOREVER.getDuration());
    await(RelayEvent.LeaseTaken.class, taken -> true);
    running.close();
    assertThat(ledger.subscription("test").newest().released()).isTrue();
  }

  @Test
  void closeDoesNotWaitForAThreadThatIsStuckInUserCode() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch comesBack = new CountDownLatch(1);
    Relay relay = relay(new Stuck(entered, comesBack), Duration.ofHours(1), new Random(1));
    RunningRelay running = start(relay, TIME, Duration.ZERO);
    await(RelayEvent.LeaseTaken.class, taken -> true);
    ledger.inNewTransaction(RelayBench.message("a", 1));
    running.wake();
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    running.close(Duration.ofMillis(200));
    assertThat(isAlive("outledger-relay-test")).isTrue();
    comesBack.countDown();
    running.close();
    assertThat(running.state()).isEqualTo(StepReport.State.RELEASED);
  }

  @Test
  void listenerMayCloseTheRelayThatCallsIt() {
    CompletableFuture<RunningRelay> running = new CompletableFuture<>();
    Relay relay =
        new Relay(
            ledger.relayStore("test", Start.EARLIEST),
            List.of(Route.only(publisher)),
            RelayOptions.defaults(),
            event -> {
              events.add(event);
              if (event instanceof RelayEvent.Saved) {
                running.join().close();
              }
            },
            new Relay.Surroundings(TIME, new Random(1)));
    ledger.inNewTransaction(RelayBench.message("a", 1));
    running.complete(start(relay, TIME, Duration.ofSeconds(30)));
    await(RelayEvent.LeaseReleased.class, released -> true);
    running.join().close();
  }

  @Test
  void brokenConditionIsLookedAtAgain() {
    ledger.faults().breakCondition(ErrorCode.INVALID_CONFIGURATION);
    RunningRelay running = start(Duration.ofSeconds(30));
    while (running.state() != StepReport.State.RECOVERING) {
      Thread.onSpinWait();
    }
    ledger.faults().restorePreconditions();
    running.wake();
    await(RelayEvent.LeaseTaken.class, taken -> true);
    running.close();
  }

  @Test
  void interruptCutsTheWaitingShortAndStaysSet() {
    publisher.holdOutcomes();
    RunningRelay running = start(Duration.ofHours(1));
    await(RelayEvent.LeaseTaken.class, taken -> true);
    putInFlight();
    Thread.currentThread().interrupt();
    running.close();
    assertThat(Thread.interrupted()).isTrue();
    await(RelayEvent.LeaseLost.class, lost -> lost.reason().equals(CLOSED));
  }
}
