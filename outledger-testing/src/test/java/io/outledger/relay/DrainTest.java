// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.StepReport.State;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DrainTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final RelayBench bench = new RelayBench();

  /** So that it matters when a drain began. */
  @BeforeEach
  void begunLongAgo() {
    bench.clock.advance(Duration.ofDays(1));
  }

  @Test
  void drainPublishesWhatIsPendingAndHandsOver() throws InterruptedException {
    bench.append("a", 1, 12);
    bench.options = RelayBench.options().polling(p -> p.withPageMessagesMax(5)).build();
    Relay relay = bench.relay();
    DrainReport report = relay.drain(Duration.ofMinutes(1));
    assertThat(report).isEqualTo(new DrainReport(State.RELEASED, 12, 0, 0));
    bench.append("a", 13, 13);
    assertThat(relay.drain(Duration.ofMinutes(1)).published()).isEqualTo(1);
    bench.append("a", 14, 14);
    assertThat(relay.drain(ChronoUnit.FOREVER.getDuration()).published()).isEqualTo(1);
    assertThat(bench.published()).hasSize(14);
  }

  @Test
  void drainSaysWhenSomebodyElseIsAtWork() throws InterruptedException {
    Relay owner = bench.relay();
    bench.steps(owner, 1);
    beforeEachLook(
        () -> {
          bench.clock.advance(RelayBench.LEASE.dividedBy(2));
          owner.step();
        });
    assertThat(bench.relay().drain(Duration.ofHours(1)).state()).isEqualTo(State.STANDBY);
    assertThat(bench.calls.get("look")).isLessThan(6);
  }

  /** As a scheduler's run does after one that was killed: each is a relay of its own. */
  @Test
  void drainWaitsOutTheLeaseOfAProcessThatWasKilled() throws InterruptedException {
    bench.append("a", 1, 3);
    bench.steps(bench.relay(), 1);
    beforeEachLook(() -> bench.clock.advance(RelayBench.LEASE));
    DrainReport report = bench.relay().drain(Duration.ofHours(1));
    assertThat(report.state()).isEqualTo(State.RELEASED);
    assertThat(bench.published()).endsWith("a1", "a2", "a3");
  }

  @Test
  void drainDoesNotWaitForALeaseWhileTheClockIsStopped() throws InterruptedException {
    bench.steps(bench.relay(), 1);
    assertThat(bench.relay().drain(SECOND).state()).isEqualTo(State.STANDBY);
  }

  @Test
  void drainThatMeetsAStrangersLeaseEndsWhenItsTimeIsUp() throws InterruptedException {
    bench.steps(bench.relay(), 1);
    beforeEachLook(() -> bench.clock.advance(SECOND));
    assertThat(bench.relay().drain(SECOND.multipliedBy(2)).state()).isEqualTo(State.STANDBY);
  }

  @Test
  void drainGoesOnAfterOneWhoseTimeWasUp() throws InterruptedException {
    bench.publisher.holdOutcomes();
    bench.append("a", 1, 1);
    Relay relay = bench.relay();
    bench.before.put("poll", () -> bench.clock.advance(SECOND));
    assertThat(relay.drain(SECOND).state()).isEqualTo(State.OWNER);
    bench.append("a", 2, 20);
    bench.publisher.releaseOutcomes();
    DrainReport report = relay.drain(Duration.ofMinutes(1));
    assertThat(report.state()).isEqualTo(State.RELEASED);
    assertThat(bench.published()).contains("a20");
  }

  private void beforeEachLook(Runnable happening) {
    bench.before.put(
        "look",
        () -> {
          happening.run();
          beforeEachLook(happening);
        });
  }

  @Test
  void drainEndsInTheMomentInWhichItsTimeIsUp() throws InterruptedException {
    bench.options = RelayBench.options().polling(p -> p.withPageMessagesMax(1)).build();
    bench.append("a", 1, 5);
    eachMessageTakes(SECOND);
    DrainReport report = bench.relay().drain(SECOND.multipliedBy(2));
    assertThat(bench.published()).containsExactly("a1", "a2");
    assertThat(report.state()).isEqualTo(State.OWNER);
  }

  private void eachMessageTakes(Duration time) {
    bench.publisher.rejectWhen(
        message -> {
          bench.clock.advance(time);
          return false;
        },
        new Rejected("never", Rejected.Kind.FINAL));
  }

  /** More is read only once parked messages of the key have come to their end, which takes time. */
  @Test
  void drainGoesOnWhileReadingWaitsForParkedMessages() throws InterruptedException {
    bench.options =
        RelayBench.options()
            .window(w -> w.withMessages(200))
            .polling(p -> p.withPageMessagesMax(50))
            .build();
    ExecutorService broker = Executors.newSingleThreadExecutor();
    try {
      RecordingPublisher slow = new RecordingPublisher(KeyOrder.PIPELINED, broker);
      slow.rejectWhen(message -> true, new Rejected("no", Rejected.Kind.DEFINITE));
      bench.append("k", 1, 300);
      Relay relay = bench.relay(List.of(Route.only(slow)));
      do {
        relay.step();
      } while (bench.parked().size() < 300);
      slow.acceptAll();
      bench.clock.advance(SECOND.multipliedBy(2));
      bench.append("k", 301, 1000);
      assertThat(relay.drain(Duration.ofMinutes(1)).state()).isEqualTo(State.RELEASED);
      assertThat(slow.arrivals()).hasSize(1000);
    } finally {
      broker.shutdownNow();
    }
  }

  @Test
  void whatWasPassedOverIsCounted() throws InterruptedException {
    bench.options =
        RelayBench.options()
            .transforms(Transforms.NONE.withFilter(Accepts.rule("none", message -> false)))
            .build();
    bench.append("a", 1, 3);
    assertThat(bench.relay().drain(SECOND)).isEqualTo(new DrainReport(State.RELEASED, 0, 3, 0));
  }

  @Test
  void drainEndsWhereADestinationCannotBeReached() throws InterruptedException {
    bench.publisher.goDownAndRefuseClients();
    bench.append("a", 1, 3);
    assertThat(bench.relay().drain(SECOND)).isEqualTo(new DrainReport(State.RELEASED, 0, 0, 3));
  }

  @Test
  void interruptEndsTheWaitingForWhatIsInFlightAndTheSubscriptionIsStillOwned() {
    bench.publisher.holdOutcomes();
    bench.append("a", 1, 1);
    Relay relay = bench.relay();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> relay.drain(SECOND)).isInstanceOf(InterruptedException.class);
    assertThat(bench.published()).containsExactly("a1");
    assertThat(relay.step().state()).isEqualTo(State.OWNER);
  }
}
