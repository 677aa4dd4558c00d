// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static io.outledger.relay.RelayBench.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RelayFailureTest {

  private static final Rejected DEFINITE = new Rejected("too large", Rejected.Kind.DEFINITE);
  private static final Rejected SUSPECT = new Rejected("it threw", Rejected.Kind.SUSPECT);

  private RelayBench bench = new RelayBench(KeyOrder.ONE_AT_A_TIME);

  @Test
  void rejectedMessageHoldsItsKeyBackAndNoOther() {
    Relay relay = bench.relay();
    bench.publisher.rejectNext(1, DEFINITE);
    bench.append("a", 1, 3);
    bench.append("b", 1, 2);
    bench.steps(relay, 3);
    assertThat(bench.published()).containsExactly("b1", "b2");
    assertThat(bench.parked()).hasSize(3);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(2);
    runFor(relay, Duration.ofSeconds(5));
    assertThat(bench.published("a")).containsExactly("a1", "a2", "a3");
    assertThat(bench.parked()).isEmpty();
    bench.append("a", 4, 4);
    bench.steps(relay, 2);
    assertThat(bench.published("a")).containsExactly("a1", "a2", "a3", "a4");
  }

  @Test
  void messagesAppendedWhileTheKeyDrainsKeepTheirPlace() {
    Relay relay = bench.relay();
    bench.publisher.rejectNext(1, DEFINITE);
    for (int number = 1; number <= 300; number++) {
      bench.append("a", number, number);
      bench.steps(relay, 1);
    }
    runFor(relay, Duration.ofSeconds(10));
    assertThat(bench.published("a")).hasSize(300).isSortedAccordingTo(RelayFailureTest::byNumber);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void deadLettersKeyGoesOnByDefault() {
    bench.options = RelayBench.options().retry(RetryPolicy.DEFAULT.withAttemptsMax(2)).build();
    Relay relay = bench.relay();
    bench.publisher.rejectWhen(message -> number(message.id()) == 1, DEFINITE);
    bench.append("a", 1, 3);
    runFor(relay, Duration.ofSeconds(10));
    assertThat(bench.published("a")).containsExactly("a2", "a3");
    assertThat(bench.parked()).hasSize(1);
    assertThat(bench.parked(ParkedState.DEAD)).isEqualTo(1);
    bench.publisher.acceptAll();
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestRetry(1, "");
    runFor(relay, Duration.ofSeconds(3));
    assertThat(bench.published("a")).containsExactly("a2", "a3", "a1");
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void deadLettersKeyStaysBlockedWhereThePolicySaysSo() {
    bench.options =
        RelayBench.options()
            .retry(
                RetryPolicy.DEFAULT.withAttemptsMax(1).withDeadLetter(DeadLetter.KEY_STAYS_BLOCKED))
            .build();
    bench.publisher.rejectNext(1, DEFINITE);
    bench.append("a", 1, 3);
    runFor(bench.relay(), Duration.ofSeconds(1));
    bench.clock.advance(Duration.ofMinutes(1));
    Relay successor = bench.relay();
    successor.step();
    bench.clock.advance(Duration.ofSeconds(11));
    runFor(successor, Duration.ofMinutes(1));
    assertThat(bench.published()).isEmpty();
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestDiscard(1, "");
    runFor(successor, Duration.ofSeconds(5));
    assertThat(bench.published("a")).containsExactly("a2", "a3");
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void messageThatIsStillRetriedCanBeDiscardedAndItsKeyGoesOn() {
    Backoff hours = new Backoff(Duration.ofHours(5), Duration.ofHours(5));
    bench.options = RelayBench.options().retry(RetryPolicy.DEFAULT.withBackoff(hours)).build();
    bench.publisher.rejectNext(1, DEFINITE);
    bench.append("a", 1, 3);
    Relay relay = bench.relay();
    runFor(relay, Duration.ofSeconds(2));
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(1);
    assertThat(bench.published()).isEmpty();
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestDiscard(1, "");
    runFor(relay, Duration.ofSeconds(5));
    assertThat(bench.events(RelayEvent.Discarded.class)).hasSize(1);
    assertThat(bench.published("a")).containsExactly("a2", "a3");
    assertThat(bench.parked()).isEmpty();
  }

  /** Found by seed 8771 of the simulation: the key waited for as long as the owner lived. */
  @Test
  void ownerThatPausesBeyondItsDeadlineAndRenewsItsLeaseLeavesNoKeyWaiting() {
    Relay relay = bench.relay();
    bench.publisher.rejectWhen(
        message -> {
          if ("b".equals(message.key())) {
            bench.clock.advance(RelayBench.LEASE.minusMillis(500));
          }
          return false;
        },
        DEFINITE);
    bench.append("a", 1, 4);
    bench.append("b", 1, 1);
    bench.steps(relay, 6);
    assertThat(bench.published("a")).containsExactly("a1", "a2", "a3", "a4");
    assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
  }

  /** Found by seed 10220 of the simulation: a3 was tried first, and a2 held behind it. */
  @Test
  void heldRowsAreNotTriedBeforeAnEarlierMessageThatABreakerKeepsBack() {
    bench = new RelayBench(KeyOrder.PIPELINED);
    bench.options =
        RelayBench.options()
            .retry(new RetryPolicy(5, backoff(Duration.ofMillis(50)), DeadLetter.KEY_GOES_ON))
            .breaker(new BreakerPolicy(1, Duration.ofHours(1), backoff(Duration.ofMinutes(1)), 1))
            .build();
    Relay relay = bench.relay();
    bench.publisher.rejectNext(1, DEFINITE);
    bench.publisher.rejectWhen(message -> message.topic().equals("broken"), SUSPECT);
    bench.publisher.holdOutcomes();
    bench.append("a", 1, 1);
    bench.ledger.inNewTransaction(message("a", 2, "broken"));
    bench.steps(relay, 2);
    bench.publisher.releaseOne(); // a1 is rejected, and tried again while a2 is on its way
    bench.append("a", 3, 3);
    runFor(relay, Duration.ofSeconds(2));
    bench.publisher.releaseOne(); // a2 is rejected, and kept back
    bench.steps(relay, 1);
    bench.publisher.releaseOutcomes(); // a1 is published
    runFor(relay, Duration.ofMinutes(2));
    bench.publisher.acceptAll();
    runFor(relay, Duration.ofMinutes(2));
    assertThat(bench.published("a")).containsExactly("a1", "a2", "a3");
  }

  /** Else the figures of parked messages would be less than what the table says. */
  @Test
  void messageThatIsSetAsideUntriedIsToldOf() {
    bench.options =
        RelayBench.options()
            .window(w -> w.withMessages(4))
            .breaker(new BreakerPolicy(2, Duration.ofHours(1), RetryPolicy.DEFAULT.backoff(), 1))
            .build();
    Relay relay = bench.relay();
    bench.publisher.rejectWhen(message -> true, SUSPECT);
    for (int number = 1; number <= 20; number++) {
      bench.append("key " + number + " ", number, number);
    }
    bench.steps(relay, 20);
    assertThat(bench.parked()).isNotEmpty();
    assertThat(bench.events(RelayEvent.Parked.class))
        .extracting(parked -> parked.message().position())
        .containsAll(bench.parked().stream().map(row -> row.message().position()).toList());
  }

  @Test
  void refusedMessageIsDeadAtOnceAndInItsTurn() {
    bench.options =
        RelayBench.options()
            .transforms(
                Transforms.NONE.withGuard(
                    message ->
                        number(message.id()) == 2
                            ? Optional.of("not for export")
                            : Optional.empty()))
            .build();
    bench.append("a", 1, 3);
    bench.steps(bench.relay(), 4);
    assertThat(bench.published()).containsExactly("a1", "a3");
    assertThat(bench.events(RelayEvent.Died.class))
        .extracting(RelayEvent.Died::reason)
        .containsExactly("OUT-024 a guard refused the message: not for export");
  }

  @Test
  void outageParksNothingCountsNoAttemptAndKeepsTheOrder() {
    bench = new RelayBench();
    bench.publisher.goDownAndRefuseClients();
    bench.append("a", 1, 50);
    Relay relay = bench.relay();
    runFor(relay, Duration.ofMinutes(5));
    assertThat(bench.published()).isEmpty();
    bench.publisher.comeBack();
    runFor(relay, Duration.ofSeconds(5));
    assertThat(bench.published("a")).hasSize(50).isSortedAccordingTo(RelayFailureTest::byNumber);
    assertThat(bench.parked()).isEmpty();
    assertThat(bench.events(RelayEvent.OutageOver.class)).hasSize(1);
  }

  @Test
  void unknownFateSendsEverythingUnacknowledgedAgainInOrder() {
    bench = new RelayBench();
    Relay relay = bench.relay();
    bench.publisher.holdOutcomes();
    bench.append("a", 1, 3);
    bench.steps(relay, 2);
    bench.publisher.failNext(1);
    bench.append("a", 4, 4);
    bench.steps(relay, 1);
    bench.publisher.releaseOutcomes();
    runFor(relay, Duration.ofSeconds(5));
    assertThat(bench.published("a").stream().distinct()).containsExactly("a1", "a2", "a3", "a4");
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void thousandsOfDefinitelyBadMessagesStallNothing() {
    Relay relay = bench.relay();
    bench.publisher.rejectWhen(
        message -> String.valueOf(message.key()).startsWith("bad"), DEFINITE);
    for (int i = 0; i < 3_000; i++) {
      bench.ledger.inNewTransaction(message("bad" + i, 1), message("good" + i, 1));
    }
    bench.steps(relay, 6);
    assertThat(bench.published("good")).hasSize(3_000);
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(3_000);
  }

  @Test
  void deadTopicNeitherStallsHealthyOneNorParksEverything() {
    bench = new RelayBench();
    Relay relay = bench.relay();
    bench.publisher.rejectWhen(message -> message.topic().equals("gone"), SUSPECT);
    for (int i = 0; i < 2_000; i++) {
      bench.ledger.inNewTransaction(message("g" + i, 1, "gone"), message("h" + i, 1));
    }
    runFor(relay, Duration.ofSeconds(20));
    assertThat(bench.published("h")).hasSize(2_000);
    assertThat(bench.parked()).hasSizeLessThan(30);
    assertThat(bench.events(RelayEvent.BreakerOpened.class)).hasSize(1);
    bench.publisher.acceptAll();
    runFor(relay, Duration.ofMinutes(2));
    assertThat(bench.published("g")).hasSize(2_000);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void eachRouteIsRetriedAlone() {
    RelayBench other = new RelayBench(KeyOrder.ONE_AT_A_TIME);
    bench.publisher.rejectNext(1, SUSPECT);
    Relay relay =
        bench.relay(
            List.of(
                new Route("first", bench.publisher, Accepts.everything()),
                new Route("second", other.publisher, Accepts.everything())));
    bench.append("a", 1, 2);
    bench.steps(relay, 3);
    assertThat(other.published()).containsExactly("a1", "a2");
    assertThat(bench.parked()).allMatch(row -> row.message().route().equals("first"));
    runFor(relay, Duration.ofSeconds(5));
    assertThat(bench.published()).containsExactly("a1", "a2");
    assertThat(other.published()).containsExactly("a1", "a2");
  }

  private static Backoff backoff(Duration always) {
    return new Backoff(always, always);
  }

  private void runFor(Relay relay, Duration time) {
    bench.steps(relay, (int) (time.toMillis() / 20));
  }

  private static int byNumber(String left, String right) {
    return Integer.compare(
        Integer.parseInt(left.substring(1)), Integer.parseInt(right.substring(1)));
  }

  private static long number(UUID id) {
    return id.getLeastSignificantBits();
  }
}
