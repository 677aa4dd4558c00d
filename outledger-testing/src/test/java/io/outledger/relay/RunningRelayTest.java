// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.RecordingPublisher;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On real threads: whatever is waited for is told by the relay's listener. */
@Timeout(60)
class RunningRelayTest {

  private static final TimeSource TIME = TimeSource.system();

  private final InMemoryLedger ledger = new InMemoryLedger(TIME);
  private final RecordingPublisher publisher = new RecordingPublisher();
  private final BlockingQueue<RelayEvent> events = new LinkedBlockingQueue<>();

  @AfterEach
  void neverLeaveTheInterruptSet() {
    assertThat(Thread.interrupted()).isFalse();
  }

  private RunningRelay start(Duration handOverMax) {
    Relay relay =
        new Relay(
            ledger.relayStore("test", Start.EARLIEST),
            List.of(Lane.only(publisher)),
            RelayOptions.builder().pollIdle(Duration.ofHours(1)).build(),
            events::add,
            new Relay.Surroundings(TIME, new Random(1)));
    RunningRelay running = RunningRelay.start(relay, "test", TIME, handOverMax);
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
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(each -> each.getName().equals(thread) && each.isAlive());
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
  void closeWaitsForWhatIsInFlightButNotForEver() {
    publisher.holdOutcomes();
    RunningRelay running = start(Duration.ofMillis(50));
    await(RelayEvent.LeaseTaken.class, taken -> true);
    putInFlight();
    running.close();
    assertThat(running.state()).isEqualTo(StepReport.State.RELEASED);
    await(RelayEvent.LeaseLost.class, lost -> lost.reason().equals("closed"));
    assertThat(ledger.subscription("test").newest().released()).isFalse();
  }

  @Test
  void brokenConditionIsLookedAtAgain() {
    ledger.faults().breakCondition(ErrorCode.INVALID_CONFIGURATION);
    RunningRelay running = start(Duration.ofSeconds(30));
    while (running.state() != StepReport.State.RECOVERING) {
      Thread.onSpinWait();
    }
    ledger.faults().mendConditions();
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
    await(RelayEvent.LeaseLost.class, lost -> lost.reason().equals("closed"));
  }
}
