// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.listener.RelayEvent;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SaveWaitTest {

  private static final Duration WAIT = Duration.ofMillis(10);

  private final RelayBench bench = new RelayBench();

  @BeforeEach
  void waits() {
    bench.options =
        RelayBench.options().saveWait(WAIT).polling(p -> p.withBusy(Duration.ofSeconds(1))).build();
  }

  private int saves() {
    return bench.events(RelayEvent.Saved.class).size();
  }

  private Relay owner() {
    Relay relay = bench.relay();
    relay.step();
    relay.step();
    return relay;
  }

  @Test
  void whatIsSettledWaitsForMoreAndOneSaveDoesForAll() {
    Relay relay = owner();
    int before = saves();
    bench.append("a", 1, 1);
    StepReport first = relay.step();
    bench.clock.advance(WAIT.dividedBy(2));
    bench.append("a", 2, 2);
    StepReport second = relay.step();

    assertThat(bench.published()).containsExactly("a1", "a2");
    assertThat(saves()).isEqualTo(before);
    assertThat(first.nextIn()).isEqualTo(WAIT);
    assertThat(second.nextIn()).isEqualTo(WAIT.dividedBy(2));
    assertThat(second.pending()).isZero();

    bench.clock.advance(WAIT.dividedBy(2));
    StepReport last = relay.step();
    assertThat(last.published()).isEqualTo(2);
    assertThat(saves()).isEqualTo(before + 1);
    assertThat(last.nextIn()).isEqualTo(bench.options.polling().idle());
  }

  @Test
  void theNextWaitBeginsAnew() {
    Relay relay = owner();
    bench.append("a", 1, 1);
    relay.step();
    bench.clock.advance(WAIT);
    relay.step();
    int before = saves();
    bench.clock.advance(Duration.ofSeconds(1));
    bench.append("a", 2, 2);

    assertThat(relay.step().nextIn()).isEqualTo(WAIT);
    assertThat(saves()).isEqualTo(before);
  }

  @Test
  void nothingWaitsOnceTheWindowIsFull() {
    bench.options = RelayBench.options().saveWait(WAIT).window(w -> w.withMessages(2)).build();
    Relay relay = owner();
    bench.append("a", 1, 2);

    assertThat(relay.step().published()).isEqualTo(2);
  }

  @Test
  void whatFillsAQuarterOfTheWindowDoesNotWait() {
    bench.options =
        RelayBench.options()
            .saveWait(WAIT)
            .window(w -> w.withMessages(12))
            .polling(p -> p.withPageMessagesMax(12))
            .build();
    Relay relay = owner();
    bench.append("a", 1, 2);
    assertThat(relay.step().published()).isZero();
    bench.append("a", 3, 3);
    assertThat(relay.step().published()).isEqualTo(3);
  }

  @Test
  void nothingWaitsInAHandOver() {
    Relay relay = owner();
    bench.append("a", 1, 1);
    relay.step();
    relay.handOver();

    assertThat(relay.step().state()).isEqualTo(StepReport.State.RELEASED);
    bench.steps(bench.relay(), 3);
    assertThat(bench.published()).containsExactly("a1");
  }

  @Test
  void aDrainDoesNotWait() throws InterruptedException {
    bench.append("a", 1, 3);

    DrainReport report = bench.relay().drain(Duration.ofSeconds(5));

    assertThat(report.published()).isEqualTo(3);
    assertThat(report.state()).isEqualTo(StepReport.State.RELEASED);
    assertThat(bench.clock.nanoTime()).isEqualTo(new RelayBench().clock.nanoTime());
  }

  @Test
  void whatWaitedWhenTheOwnerDiedIsPublishedAgain() {
    Relay relay = owner();
    bench.append("a", 1, 2);
    relay.step();
    relay.close();
    Relay successor = bench.relay();
    successor.step();
    bench.clock.advance(RelayBench.LEASE.multipliedBy(2));
    bench.steps(successor, 3);

    assertThat(bench.published()).containsExactly("a1", "a2", "a1", "a2");
  }

  @Test
  void somethingGoesOutThoughEachSaveTakesMoreThanAThirdOfTheLease() {
    bench.options = RelayBench.options().build();
    Relay relay = owner();
    eachSaveTakes(RelayBench.LEASE.multipliedBy(35).dividedBy(100));
    for (int step = 1; step <= 10; step++) {
      bench.append("a", 10 * step - 9, 10 * step);
      bench.clock.advance(Duration.ofMillis(20));
      relay.step();
    }
    assertThat(bench.published()).hasSize(100);
    assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
  }

  private void eachSaveTakes(Duration time) {
    bench.before.put(
        "save",
        () -> {
          bench.clock.advance(time);
          eachSaveTakes(time);
        });
  }
}
