// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message is rejected before it is known what became of the one before it of its key. */
class OutOfOrderRejectionTest {

  private static final Outcome REJECTED =
      new Outcome.Rejected("the test rejects it", Outcome.Rejected.Kind.DEFINITE);

  private final RelayBench bench = new RelayBench();
  private final ByHand destination = new ByHand(KeyOrder.PIPELINED);
  private final Relay relay = bench.relay(List.of(Route.only(destination)));

  OutOfOrderRejectionTest() {
    bench.append("a", 1, 2);
    bench.steps(relay, 2);
    destination.report(2, REJECTED);
    bench.steps(relay, 1);
  }

  @Test
  void itIsParkedOnceTheOneBeforeItIsPublished() {
    assertThat(bench.parked()).isEmpty();
    destination.report(1, Outcome.PUBLISHED);
    bench.steps(relay, 1);
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(1);
    assertThat(destination.sent).containsExactly(1L, 2L);
  }

  /**
   * Found by seed 646 of the simulation: it was sent, and so overtook what was known to be
   * rejected.
   */
  @Test
  void whatFollowsOfItsKeyIsHeldBehindItAndOtherKeysGoOn() {
    bench.append("a", 3, 3);
    bench.append("b", 1, 1);
    bench.steps(relay, 3);
    assertThat(destination.sent).containsExactly(1L, 2L, 4L);
    destination.report(1, Outcome.PUBLISHED);
    bench.steps(relay, 1);
    assertThat(destination.sent).containsExactly(1L, 2L, 4L);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(1);
    destination.report(4, Outcome.PUBLISHED);
    steps(relay);
    assertThat(destination.sent).containsExactly(1L, 2L, 4L, 2L, 3L);
  }

  @Test
  void whatFollowsOfItsKeyIsSentAfterItWhenAnOutageIsOver() {
    bench.append("a", 3, 3);
    bench.steps(relay, 3);
    destination.report(1, Outcome.unavailable("the connection broke"));
    steps(relay);
    assertThat(destination.sent).containsExactly(1L, 2L, 1L, 2L, 3L);
  }

  @Test
  void ofTwoThatWaitTheEarlierIsTriedFirst() {
    RelayBench other = new RelayBench();
    Relay working = other.relay(List.of(Route.only(destination)));
    other.append("a", 1, 3);
    other.steps(working, 2);
    destination.sent.clear();
    destination.report(3, REJECTED);
    destination.report(2, REJECTED);
    other.steps(working, 1);
    destination.report(1, Outcome.PUBLISHED);
    steps(other, working);
    assertThat(destination.sent).containsExactly(2L, 3L);
  }

  /** Found by seed 20782 of the simulation: 3 was sent, and then 2 held behind it. */
  @Test
  void heldRowsAreNotTriedWhileAnEarlierMessageIsOnItsWay() {
    RelayBench other = new RelayBench();
    Relay working = other.relay(List.of(Route.only(destination)));
    other.append("a", 1, 2);
    other.steps(working, 2);
    destination.sent.clear();
    destination.report(1, REJECTED);
    other.steps(working, 1);
    other.append("a", 3, 3); // is held behind the row of 1
    other.steps(working, 200);
    assertThat(destination.sent).containsExactly(1L);
    destination.report(1, Outcome.PUBLISHED);
    other.steps(working, 10);
    assertThat(destination.sent).containsExactly(1L);
    destination.report(2, Outcome.unavailable("the connection broke"));
    steps(other, working);
    assertThat(destination.sent).containsExactly(1L, 2L, 3L);
  }

  @Test
  void whatABreakerLetsGoIsNotSentBeforeItEither() {
    RelayBench other = new RelayBench();
    Backoff soon = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));
    other.options =
        RelayOptions.builder().breaker(new BreakerPolicy(1, Duration.ZERO, soon, 100)).build();
    Relay working = other.relay(List.of(Route.only(destination)));
    other.append("a", 1, 2);
    other.ledger.inNewTransaction(RelayBench.message("b", 1, "broken"));
    other.steps(working, 2);
    destination.report(3, Outcome.suspect("the topic is gone"));
    other.ledger.inNewTransaction(RelayBench.message("a", 3, "broken"));
    other.steps(working, 2); // the breaker keeps 3 and 4 back, and lets 3 probe
    destination.report(3, Outcome.suspect("the topic is gone"));
    destination.report(2, REJECTED);
    other.steps(working, 5); // it lets both go
    assertThat(destination.sent).endsWith(3L, 3L, 3L).doesNotContain(4L);
  }

  /** It returns to its breaker unsent, because that keeps a later message of its key. */
  @Test
  void probeThatHasWaitedBehindItIsNotAwaitedForever() {
    RelayBench other = new RelayBench();
    Backoff soon = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));
    other.options =
        RelayBench.options().breaker(new BreakerPolicy(1, Duration.ofHours(9), soon, 100)).build();
    Relay working = other.relay(List.of(Route.only(destination)));
    other.append("a", 1, 2);
    other.ledger.inNewTransaction(RelayBench.message("b", 1, "broken"));
    other.steps(working, 2);
    destination.sent.clear();
    destination.report(3, Outcome.suspect("it threw")); // opens the breaker
    other.steps(working, 1);
    other.ledger.inNewTransaction(
        RelayBench.message("a", 3, "broken"), RelayBench.message("a", 4, "broken"));
    other.steps(working, 2);
    destination.report(2, REJECTED);
    destination.report(3, REJECTED); // the probe; the next one is a3, behind a2
    other.steps(working, 3);
    destination.report(1, Outcome.PUBLISHED);
    steps(other, working);
    assertThat(destination.sent).endsWith(4L, 5L);
    assertThat(other.parked()).isEmpty();
  }

  @Test
  void itIsParkedThoughAnOutageBeginsInTheSameMoment() {
    bench.append("b", 1, 1);
    bench.steps(relay, 1);
    destination.report(1, Outcome.PUBLISHED);
    destination.report(3, Outcome.unavailable("the connection broke"));
    bench.steps(relay, 1);
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(1);
    assertThat(bench.events(RelayEvent.OutageBegan.class)).hasSize(1);
  }

  @Test
  void afterAnOutageBothAreSentAgainInOrder() {
    destination.report(1, Outcome.unavailable("the connection broke"));
    steps(relay);
    assertThat(destination.sent).containsExactly(1L, 2L, 1L, 2L);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void afterACrashBothAreSentAgainInOrder() {
    relay.close();
    Relay successor = bench.relay(List.of(Route.only(destination)));
    steps(successor);
    assertThat(destination.sent).containsExactly(1L, 2L, 1L, 2L);
  }

  /**
   * Transforms for long enough for a lease to lapse, a probe and a retry, all of which get through.
   */
  private void steps(Relay working) {
    steps(bench, working);
  }

  private void steps(RelayBench at, Relay working) {
    destination.acceptsAll = true;
    for (int i = 0; i < 40; i++) {
      at.steps(working, 1);
      at.clock.advance(Duration.ofSeconds(1));
    }
  }
}
