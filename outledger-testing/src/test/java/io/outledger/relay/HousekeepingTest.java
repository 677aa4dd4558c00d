// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.testing.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HousekeepingTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RelayBench bench = new RelayBench();
  private int appended;

  private Relay owner() {
    Relay relay = bench.relay();
    while (relay.step().state() != StepReport.State.OWNER) {
      bench.clock.advance(RelayBench.LEASE);
    }
    return relay;
  }

  private void stepEachSecond(Relay relay, int seconds) {
    for (int i = 0; i < seconds; i++) {
      bench.clock.advance(Duration.ofSeconds(1));
      relay.step();
    }
  }

  private void appendAndStep(Relay relay) {
    appended++;
    bench.append("a", appended, appended);
    relay.step();
  }

  private int cursorRows() {
    return bench.ledger.subscription(RelayBench.SUBSCRIPTION).cursorRows();
  }

  @Test
  void conditionsAreLookedAtEveryHalfMinute() {
    Relay relay = owner();
    stepEachSecond(relay, 31);
    bench.ledger.faults().breakCondition(ErrorCode.INVALID_CONFIGURATION);
    stepEachSecond(relay, 28);
    bench.clock.advance(Duration.ofSeconds(1));
    assertThatThrownBy(relay::step).isInstanceOf(ConfigurationException.class);
  }

  @Test
  void conditionsAreNotLookedAtAgainRightAfterATakeOver() {
    Relay relay = owner();
    bench.ledger.faults().breakCondition(ErrorCode.INVALID_CONFIGURATION);
    stepEachSecond(relay, 29);
    bench.clock.advance(Duration.ofSeconds(1));
    assertThatThrownBy(relay::step).isInstanceOf(ConfigurationException.class);
  }

  @Test
  void cursorIsPurgedEveryMinute() {
    Relay relay = owner();
    for (int round = 0; round < 2; round++) {
      int before = cursorRows();
      threeSavesASecond(relay, 59);
      assertThat(cursorRows()).isEqualTo(before + 3 * 59);
      threeSavesASecond(relay, 1);
      // One row of each second is kept, to tell when its messages were published.
      assertThat(cursorRows()).isLessThan(before + 70);
    }
  }

  private void threeSavesASecond(Relay relay, int seconds) {
    for (int second = 0; second < seconds; second++) {
      bench.clock.advance(Duration.ofSeconds(1));
      for (int save = 0; save < 3; save++) {
        appendAndStep(relay);
      }
    }
  }

  @Test
  void cursorIsPurgedAfterAThousandSaves() {
    Relay relay = owner();
    int before = cursorRows();
    for (int save = 1; save < 1_000; save++) {
      appendAndStep(relay);
    }
    assertThat(cursorRows()).isEqualTo(before + 999);
    appendAndStep(relay);
    assertThat(cursorRows()).isLessThan(before + 5);
    appendAndStep(relay);
    appendAndStep(relay);
    assertThat(cursorRows()).isLessThan(before + 5);
  }

  @Test
  void nothingIsSavedOnceAHoleWasDropped() {
    Relay relay = owner();
    InMemoryTransaction rolledBack = bench.ledger.begin();
    rolledBack.append(RelayBench.message("ghost", 1));
    rolledBack.rollback();
    appendAndStep(relay);
    bench.steps(relay, 5);
    assertThat(bench.events(RelayEvent.HolesDropped.class)).hasSize(1);
    int before = cursorRows();
    bench.steps(relay, 20);
    assertThat(cursorRows()).isEqualTo(before);
  }

  @Test
  void writersAreAskedForOnceASecondWhileAHoleNeedsThem() {
    Relay relay = owner();
    stepEachSecond(relay, 2);
    assertThat(bench.calls("writers")).isZero();
    try (InMemoryTransaction open = bench.ledger.begin()) {
      open.append(RelayBench.message("open", 1));
      appendAndStep(relay);
      relay.step();
      stepEachSecond(relay, 1);
      assertThat(bench.calls("writers")).isEqualTo(1);
      bench.clock.advance(Duration.ofMillis(999));
      relay.step();
      assertThat(bench.calls("writers")).isEqualTo(1);
      bench.clock.advance(Duration.ofMillis(1));
      relay.step();
      assertThat(bench.calls("writers")).isEqualTo(2);
    }
  }

  @Test
  void nothingIsSavedWhereNothingHappens() {
    Relay relay = owner();
    appendAndStep(relay);
    bench.steps(relay, 3);
    int before = cursorRows();
    bench.steps(relay, 20);
    assertThat(cursorRows()).isEqualTo(before);
  }

  @Test
  void messageThatIsOnItsWayForLongIsToldOfOnceAMinute() {
    bench.publisher.holdOutcomes();
    Relay relay = owner();
    appendAndStep(relay);
    stepEachSecond(relay, 55);
    assertThat(bench.events(RelayEvent.Overdue.class)).isEmpty();
    stepEachSecond(relay, 40);
    assertThat(bench.events(RelayEvent.Overdue.class))
        .singleElement()
        .satisfies(overdue -> assertThat(overdue.message().position()).isEqualTo(1))
        .satisfies(
            overdue -> assertThat(overdue.taken()).isBetween(MINUTE, MINUTE.multipliedBy(2)));
    stepEachSecond(relay, 60);
    assertThat(bench.events(RelayEvent.Overdue.class)).hasSize(2);
    assertThat(bench.events(RelayEvent.OverdueEnded.class)).isEmpty();
    bench.publisher.releaseOutcomes();
    stepEachSecond(relay, 20);
    assertThat(bench.events(RelayEvent.OverdueEnded.class)).hasSize(1);
  }

  @Test
  void tooManyOpenPositionsAreToldOfEveryTenSeconds() {
    bench.options = RelayBench.options().holes(h -> h.withOpenRangesMax(1)).build();
    Relay relay = owner();
    List<InMemoryTransaction> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      InMemoryTransaction writer = bench.ledger.begin();
      writer.append(RelayBench.message("open", i));
      open.add(writer);
      appendAndStep(relay);
    }
    assertThat(bench.published("a")).hasSize(2);
    relay.step();
    assertThat(bench.events(RelayEvent.TooManyOpen.class)).hasSize(1);
    assertThat(bench.events(RelayEvent.TooManyOpen.class).get(0).ranges()).isEqualTo(2);
    stepEachSecond(relay, 9);
    assertThat(bench.events(RelayEvent.TooManyOpen.class)).hasSize(1);
    stepEachSecond(relay, 1);
    assertThat(bench.events(RelayEvent.TooManyOpen.class)).hasSize(2);
    stepEachSecond(relay, 9);
    assertThat(bench.events(RelayEvent.TooManyOpen.class)).hasSize(2);
    assertThat(bench.events(RelayEvent.ReadsOn.class)).isEmpty();
    open.forEach(InMemoryTransaction::commit);
    bench.steps(relay, 20);
    assertThat(bench.events(RelayEvent.ReadsOn.class)).hasSize(1);
    assertThat(bench.published("a")).hasSize(3);
  }
}
