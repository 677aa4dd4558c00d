// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.testing.InMemorySubscription;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A dead letter of an emptied ledger and the new ledger's message of its position. */
class SharedPositionTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Lets message a1 die at position 1, empties the ledger, and moves the subscription. */
  private static RelayBench emptied(KeyOrder order) {
    RelayBench bench = new RelayBench(order);
    bench.options =
        RelayBench.options()
            .retry(new RetryPolicy(3, new Backoff(SECOND, SECOND), DeadLetter.KEY_GOES_ON))
            .build();
    bench.publisher.rejectNext(1, new Rejected("no such type", Rejected.Kind.FINAL));
    bench.append("a", 1, 1);
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 5);
    }
    bench.publisher.clear();
    bench.ledger.truncate();
    subscription(bench).move(Start.EARLIEST);
    bench.publisher.holdOutcomes();
    return bench;
  }

  private static InMemorySubscription subscription(RelayBench bench) {
    return bench.ledger.subscription(RelayBench.SUBSCRIPTION);
  }

  @ParameterizedTest
  @EnumSource
  void newMessageAndThoseBehindItWaitWhileTheDeadLetterIsOnItsWay(KeyOrder order) {
    RelayBench bench = emptied(order);
    subscription(bench).requestRetry(1, "");
    Relay relay = bench.relay();
    bench.steps(relay, 5);
    assertThat(bench.published()).containsExactly("a1");
    bench.append("b", 1, 2);
    bench.steps(relay, 200);
    assertThat(bench.published()).containsExactly("a1");
    bench.publisher.releaseOutcomes();
    bench.steps(relay, 400);
    assertThat(bench.published()).containsExactly("a1", "b1", "b2");
    assertThat(bench.parked()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void deadLetterWaitsWhileTheNewMessageIsOnItsWay(KeyOrder order) {
    RelayBench bench = emptied(order);
    bench.append("b", 1, 1);
    Relay relay = bench.relay();
    bench.steps(relay, 5);
    subscription(bench).requestRetry(1, "");
    bench.steps(relay, 200);
    assertThat(bench.published()).containsExactly("b1");
    bench.publisher.releaseOutcomes();
    bench.steps(relay, 400);
    assertThat(bench.published()).containsExactly("b1", "a1");
    assertThat(bench.parked()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void bothAreKeptBackWhileTheirTypeIsRejectedAndNeitherIsForgotten(KeyOrder order) {
    RelayBench bench = emptied(order);
    bench.options =
        RelayBench.options()
            .breaker(new BreakerPolicy(1, Duration.ofHours(1), new Backoff(SECOND, SECOND), 1))
            .build();
    bench.publisher.releaseOutcomes();
    bench.publisher.rejectWhen(message -> true, new Rejected("it threw", Rejected.Kind.SUSPECT));
    bench.append("b", 1, 1);
    Relay relay = bench.relay();
    bench.steps(relay, 5);
    subscription(bench).requestRetry(1, "");
    bench.steps(relay, 200);
    bench.append("b", 2, 3);
    bench.steps(relay, 5);
    bench.publisher.acceptAll();
    bench.steps(relay, 400);
    assertThat(bench.published()).containsExactlyInAnyOrder("a1", "b1", "b2", "b3");
    assertThat(bench.published("b")).containsExactly("b1", "b2", "b3");
    assertThat(bench.parked()).isEmpty();
  }

  /** Held at once it would be tried at once: its attempts would be used up in no time. */
  @ParameterizedTest
  @EnumSource
  void rowOfTheEarlierLedgerKeepsItsBackoffWhereThisOnesMessagesAreHeldBehindIt(KeyOrder order) {
    RelayBench bench = new RelayBench(order);
    Duration minute = Duration.ofMinutes(1);
    bench.options =
        RelayBench.options()
            .retry(new RetryPolicy(9, new Backoff(minute, minute), DeadLetter.KEY_GOES_ON))
            .build();
    bench.append("x", 1, 5);
    bench.publisher.rejectWhen(
        message -> "a".equals(message.key()), new Rejected("no", Rejected.Kind.DEFINITE));
    bench.append("a", 1, 1);
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 5);
    }
    bench.ledger.truncate();
    subscription(bench).move(Start.EARLIEST);
    bench.append("a", 2, 3); // at positions before that of the row
    Relay relay = bench.relay();
    bench.steps(relay, 60);
    subscription(bench).requestRetry(6, "");
    bench.steps(relay, 100);
    assertThat(bench.parked())
        .filteredOn(row -> row.message().position() == 6)
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.message().state()).isEqualTo(ParkedState.RETRYING);
              assertThat(row.message().attempts()).isEqualTo(2);
            });
    bench.publisher.acceptAll();
    subscription(bench).requestRetry(6, "");
    bench.steps(relay, 500);
    assertThat(bench.published("a")).containsExactly("a1", "a2", "a3");
    assertThat(bench.parked()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void bothProbeADestinationThatIsAwayAndEachIsSentOnce(KeyOrder order) {
    RelayBench bench = emptied(order);
    bench.publisher.releaseOutcomes();
    bench.publisher.goDown();
    bench.append("b", 1, 1);
    Relay relay = bench.relay();
    bench.steps(relay, 5);
    subscription(bench).requestRetry(1, "");
    bench.steps(relay, 400);
    bench.publisher.comeBack();
    bench.steps(relay, 1_000);
    assertThat(bench.published()).containsExactlyInAnyOrder("a1", "b1");
    assertThat(bench.parked()).isEmpty();
  }
}
