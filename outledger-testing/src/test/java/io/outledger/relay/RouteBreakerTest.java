// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static io.outledger.relay.RelayBench.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.relay.options.Route;
import io.outledger.store.ParkedState;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a route does with messages that its breakers keep back. */
class RouteBreakerTest {

  private static final Rejected DEFINITE = new Rejected("too large", Rejected.Kind.DEFINITE);
  private static final Rejected SUSPECT = new Rejected("it threw", Rejected.Kind.SUSPECT);
  private static final Duration PROBES = Duration.ofSeconds(8);
  private static final Duration HOUR = Duration.ofHours(1);

  private RelayBench bench = new RelayBench();

  RouteBreakerTest() {
    reject("broken");
  }

  private void reject(String topic) {
    bench.publisher.rejectWhen(message -> message.topic().equals(topic), SUSPECT);
  }

  /** Opens at once. */
  private void options(int windowMessages, Duration probeFor) {
    bench.options = begin(windowMessages, probeFor).build();
  }

  private static RelayOptions.Builder begin(int windowMessages, Duration probeFor) {
    return RelayBench.options()
        .window(w -> w.withMessages(windowMessages))
        .polling(p -> p.withPageMessagesMax(2))
        .retry(new RetryPolicy(5, backoff(Duration.ofMinutes(1)), DeadLetter.KEY_GOES_ON))
        .breaker(new BreakerPolicy(1, probeFor, backoff(PROBES), 1));
  }

  private static Backoff backoff(Duration always) {
    return new Backoff(always, always);
  }

  private void appendTo(String topic, String key, int number) {
    bench.ledger.inNewTransaction(message(key, number, topic));
  }

  private void runFor(Relay relay, Duration time) {
    bench.steps(relay, (int) (time.toMillis() / 20));
  }

  @Test
  void openedAndClosedIsToldOnce() {
    options(100, HOUR);
    Relay relay = bench.relay();
    bench.append("a", 1, 3);
    appendTo("broken", "b", 1);
    appendTo("broken", "c", 1);
    runFor(relay, Duration.ofSeconds(15));
    assertThat(bench.events(RelayEvent.BreakerOpened.class))
        .containsExactly(new RelayEvent.BreakerOpened("", "broken", "test.event", "it threw"));
    assertThat(bench.events(RelayEvent.BreakerClosed.class)).isEmpty();
    bench.publisher.acceptAll();
    runFor(relay, Duration.ofSeconds(15));
    assertThat(bench.published()).hasSize(5);
    assertThat(bench.events(RelayEvent.BreakerClosed.class))
        .containsExactly(new RelayEvent.BreakerClosed("", "broken", "test.event", true));
  }

  @Test
  void topicThatIsGoneBurnsNoAttemptsHoweverFewItsKeysAndHoweverLong() {
    bench.options =
        RelayBench.options()
            .breaker(new BreakerPolicy(20, Duration.ofSeconds(1), backoff(PROBES), 100))
            .build();
    bench.publisher.rejectWhen(
        message -> message.topic().equals("gone"), new Rejected("gone", Rejected.Kind.TOPIC));
    Relay relay = bench.relay();
    for (int number = 1; number <= 5; number++) {
      appendTo("gone", "k" + number % 2, number);
      bench.append("a", number, number);
    }
    runFor(relay, Duration.ofMinutes(5));
    assertThat(bench.published()).containsExactly("a1", "a2", "a3", "a4", "a5");
    assertThat(bench.parked()).isEmpty();
    bench.publisher.acceptAll();
    runFor(relay, Duration.ofSeconds(9));
    assertThat(bench.published("k0")).containsExactly("k02", "k04");
    assertThat(bench.published("k1")).containsExactly("k11", "k13", "k15");
  }

  @Test
  void thatProbingHasLastedLongEnoughIsToldOnce() {
    options(100, Duration.ofSeconds(1));
    Relay relay = bench.relay();
    appendTo("broken", "b", 1);
    appendTo("broken", "c", 1);
    runFor(relay, Duration.ofSeconds(30));
    assertThat(bench.events(RelayEvent.BreakerClosed.class))
        .containsExactly(new RelayEvent.BreakerClosed("", "broken", "test.event", false));
  }

  @Test
  void halfAWindowIsKeptBackAndTheRestIsSetAside() {
    options(8, HOUR);
    Relay relay = bench.relay();
    for (int number = 1; number <= 7; number++) {
      appendTo("broken", "k" + number, number);
    }
    bench.steps(relay, 6);
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(3);
    assertThat(bench.parked()).allMatch(row -> row.message().attempts() == 0);
    assertThat(bench.events(RelayEvent.Parked.class))
        .extracting(RelayEvent.Parked::reason)
        .containsOnly("not tried: the destination rejects every message of this type")
        .hasSize(3);
    assertThat(bench.published()).isEmpty();
  }

  /** Else a breaker that is gone would be shown as open for ever. */
  @Test
  void breakerWhoseMessagesAreAllSetAsideIsForgottenAndTold() {
    options(8, HOUR);
    bench.publisher.rejectWhen(
        message -> message.topic().startsWith("gone"), new Rejected("gone", Rejected.Kind.TOPIC));
    Relay relay = bench.relay();
    for (int number = 1; number <= 7; number++) {
      appendTo("gone" + number, "k" + number, number);
    }
    bench.steps(relay, 6);
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(3);
    assertThat(bench.events(RelayEvent.BreakerForgotten.class))
        .extracting(RelayEvent.BreakerForgotten::topic)
        .hasSize(3)
        .doesNotHaveDuplicates();
    assertThat(bench.events(RelayEvent.BreakerClosed.class)).isEmpty();
    bench.publisher.acceptAll();
    runFor(relay, Duration.ofMinutes(2));
    assertThat(bench.published()).hasSize(7);
    assertThat(bench.events(RelayEvent.BreakerClosed.class)).hasSize(4);
  }

  @Test
  void messageBehindAParkedOneIsHeldWhereItIsSetAside() {
    options(2, HOUR);
    Relay relay = bench.relay();
    bench.publisher.rejectNext(1, DEFINITE);
    bench.publisher.holdOutcomes();
    bench.append("a", 1, 1);
    appendTo("broken", "a", 2);
    bench.steps(relay, 2);
    bench.publisher.releaseOne(); // a1 is parked while a2 is on its way
    bench.publisher.releaseOne(); // a2 is kept back
    bench.publisher.releaseOutcomes();
    appendTo("broken", "b", 1);
    bench.steps(relay, 2);
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(1);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(1);
    bench.publisher.acceptAll();
    runFor(relay, Duration.ofMinutes(1));
    assertThat(bench.published("a")).containsExactly("a1", "a2");
  }

  @Test
  void messageOfAKeyThatIsKeptBackIsNotSetAsideInAnOutage() {
    bench.options = begin(8, HOUR).outage(o -> o.withHoldsUpOthersMax(Duration.ZERO)).build();
    Relay relay =
        bench.relay(
            List.of(
                new Route("down", bench.publisher, Accepts.everything()),
                new Route("up", new RecordingPublisher(), Accepts.everything())));
    appendTo("broken", "a", 1);
    bench.steps(relay, 3); // a1 is kept back
    bench.publisher.goDown();
    bench.append("b", 1, 1); // meets the outage
    bench.append("a", 2, 4);
    bench.steps(relay, 10);
    assertThat(bench.parked()).isNotEmpty();
    bench.publisher.acceptAll();
    bench.publisher.comeBack();
    runFor(relay, Duration.ofMinutes(5));
    assertThat(bench.published("a")).containsExactly("a1", "a2", "a3", "a4");
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void heldMessagesThatAreSetAsideKeepTheirPlaces() {
    bench = new RelayBench(KeyOrder.ONE_AT_A_TIME);
    reject("broken");
    options(2, HOUR);
    Relay relay = bench.relay();
    bench.publisher.rejectNext(1, DEFINITE);
    bench.append("a", 1, 1);
    appendTo("broken", "a", 2);
    appendTo("broken", "a", 3);
    bench.steps(relay, 4);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(2);
    appendTo("broken", "b", 1);
    runFor(relay, Duration.ofMinutes(1)); // a1 is published; of a2, a3 and b1 one may be kept back
    assertThat(bench.published("a")).containsExactly("a1");
    assertThat(bench.parked()).extracting(row -> row.message().position()).containsExactly(2L, 3L);
    bench.publisher.acceptAll();
    runFor(relay, Duration.ofMinutes(2));
    assertThat(bench.published("a")).containsExactly("a1", "a2", "a3");
    assertThat(bench.published("b")).hasSize(1);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void nothingOfItsKeyIsSentBesideAProbe() {
    bench = new RelayBench(KeyOrder.ONE_AT_A_TIME);
    reject("broken");
    options(100, HOUR);
    Relay relay = bench.relay();
    appendTo("broken", "b", 1);
    bench.steps(relay, 2);
    bench.publisher.acceptAll();
    bench.publisher.holdOutcomes();
    bench.clock.advance(PROBES);
    bench.steps(relay, 1);
    assertThat(bench.published()).containsExactly("b1");
    bench.append("b", 2, 2);
    bench.steps(relay, 3);
    assertThat(bench.published()).containsExactly("b1");
    bench.publisher.releaseOutcomes();
    bench.steps(relay, 1);
    assertThat(bench.published()).containsExactly("b1", "b2");
  }

  @Test
  void whatComesWhileAProbeIsOnItsWayDoesNotOvertakeWhatIsKeptBack() {
    bench = new RelayBench(KeyOrder.ONE_AT_A_TIME);
    reject("broken");
    options(100, HOUR);
    Relay relay = bench.relay();
    appendTo("broken", "b", 1);
    appendTo("broken", "b", 2);
    bench.steps(relay, 2);
    bench.publisher.acceptAll();
    bench.publisher.holdOutcomes();
    bench.clock.advance(PROBES);
    bench.steps(relay, 1);
    bench.append("b", 3, 3);
    bench.steps(relay, 1);
    bench.publisher.releaseOutcomes();
    runFor(relay, PROBES);
    assertThat(bench.published()).containsExactly("b1", "b2", "b3");
  }

  @Test
  void whatThePassingDeadlineKeepsFromProbingProbesLater() {
    for (KeyOrder order : List.of(KeyOrder.PIPELINED, KeyOrder.ONE_AT_A_TIME)) {
      bench = new RelayBench(order);
      options(100, HOUR);
      reject("broken");
      reject("gone");
      Relay relay = bench.relay();
      appendTo("broken", "b", 1);
      appendTo("broken", "b", 2);
      appendTo("gone", "g", 1);
      appendTo("gone", "g", 2);
      bench.steps(relay, 3);
      assertThat(bench.events(RelayEvent.BreakerOpened.class)).hasSize(2);
      bench.publisher.acceptAll();
      pauseOnceBeyondTheDeadline();
      bench.clock.advance(PROBES);
      runFor(relay, Duration.ofMinutes(1));
      assertThat(bench.published("b")).containsExactly("b1", "b2");
      assertThat(bench.published("g")).containsExactly("g1", "g2");
      assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
    }
  }

  @Test
  void probeThatAnOutageTakesBackIsNotAwaitedForever() {
    options(100, HOUR);
    ByHand destination = new ByHand(KeyOrder.PIPELINED);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    appendTo("broken", "b", 1);
    appendTo("broken", "b", 2);
    bench.append("a", 1, 2);
    bench.steps(relay, 3);
    destination.report(1, SUSPECT);
    destination.report(2, SUSPECT);
    bench.steps(relay, 1);
    bench.clock.advance(PROBES);
    bench.steps(relay, 1);
    assertThat(destination.sent).endsWith(1L);
    destination.report(3, Outcome.unavailable("the connection broke"));
    bench.steps(relay, 1);
    destination.acceptsAll = true;
    destination.sent.clear();
    runFor(relay, Duration.ofMinutes(1));
    assertThat(destination.sent).hasSize(4).containsSubsequence(1L, 2L);
  }

  private void pauseOnceBeyondTheDeadline() {
    boolean[] paused = {false};
    bench.publisher.rejectWhen(
        message -> {
          if (!paused[0]) {
            paused[0] = true;
            bench.clock.advance(RelayBench.LEASE.minusMillis(500));
          }
          return false;
        },
        DEFINITE);
  }
}
