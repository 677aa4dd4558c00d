// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.relay.options.Route;
import io.outledger.store.Start;
import io.outledger.testing.InMemorySubscription;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A subscription is moved back while messages of it are parked; a position is read again. */
class MoveBackTest {

  private static final Rejected DEFINITE = new Rejected("too large", Rejected.Kind.DEFINITE);
  private static final Rejected FINAL = new Rejected("no such type", Rejected.Kind.FINAL);

  private final RelayBench bench = new RelayBench(KeyOrder.ONE_AT_A_TIME);

  MoveBackTest() {
    retry(DeadLetter.KEY_GOES_ON, Duration.ofMinutes(1));
  }

  private void retry(DeadLetter deadLetter, Duration within) {
    Backoff backoff = new Backoff(within, within);
    bench.options = RelayBench.options().retry(new RetryPolicy(3, backoff, deadLetter)).build();
  }

  private InMemorySubscription subscription() {
    return bench.ledger.subscription(RelayBench.SUBSCRIPTION);
  }

  private void reject(int number, Rejected rejected) {
    bench.publisher.rejectWhen(m -> m.id().getLeastSignificantBits() == number, rejected);
  }

  /**
   * Appends three messages of a key, has one rejected, and lets the others go as far as they go.
   */
  private Relay rejecting(int number, Rejected rejected) {
    reject(number, rejected);
    bench.append("a", 1, 3);
    Relay relay = bench.relay();
    bench.steps(relay, 5);
    return relay;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void retryingMessageIsReadAgainInItsTurnWithAllAttempts(int number) {
    Relay relay = rejecting(number, DEFINITE);
    bench.publisher.clear();
    subscription().move(Start.EARLIEST);
    bench.steps(relay, 10);
    assertThat(bench.parked().get(0).message().position()).isEqualTo(number);
    assertThat(bench.parked().get(0).message().attempts()).isEqualTo(1);
    bench.publisher.acceptAll();
    bench.steps(relay, 4_000);
    assertThat(bench.published()).containsExactly("a1", "a2", "a3");
    assertThat(bench.parked()).isEmpty();
    bench.append("a", 4, 4);
    bench.steps(relay, 3);
    assertThat(bench.published("a4")).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(DeadLetter.class)
  void deadLetterIsReadAgainLikeAnyOther(DeadLetter policy) {
    retry(policy, Duration.ofMinutes(1));
    Relay relay = rejecting(2, FINAL);
    subscription().requestRetry(2, "");
    bench.publisher.acceptAll();
    bench.publisher.clear();
    subscription().move(Start.EARLIEST);
    bench.steps(relay, 100);
    assertThat(bench.published()).containsExactly("a1", "a2", "a3");
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void retryRequestDoesNotOutliveAMoveBack() {
    Relay relay = rejecting(2, FINAL);
    reject(2, DEFINITE);
    subscription().requestRetry(2, "");
    subscription().move(Start.EARLIEST);
    bench.steps(relay, 1_000);
    assertThat(bench.parked().get(0).message().attempts()).isEqualTo(1);
  }

  @Test
  void whatIsParkedBeforeTheStartStaysAndHoldsItsKey() {
    Relay relay = rejecting(1, DEFINITE);
    subscription().move(Start.at(2));
    bench.steps(relay, 20);
    assertThat(bench.parked()).hasSize(3);
    bench.publisher.acceptAll();
    bench.steps(relay, 4_000);
    assertThat(bench.published()).containsExactly("a1", "a2", "a3");
  }

  @Test
  void messageThatOneRouteHasParkedIsNotHandedToItAgainByASuccessor() {
    retry(DeadLetter.KEY_GOES_ON, Duration.ofDays(300));
    ByHand slow = new ByHand(KeyOrder.ONE_AT_A_TIME);
    RecordingPublisher mails = new RecordingPublisher(KeyOrder.ONE_AT_A_TIME, Runnable::run);
    mails.rejectNext(1, DEFINITE);
    List<Route> routes =
        List.of(
            new Route("mail", mails, Accepts.everything()),
            new Route("slow", slow, Accepts.everything()));
    bench.append("a", 1, 1);
    Relay former = bench.relay(routes);
    bench.steps(former, 3);
    former.close();
    bench.clock.advance(RelayBench.LEASE.multipliedBy(3));
    Relay relay = bench.relay(routes);
    while (slow.sent.size() < 2) {
      bench.clock.advance(Duration.ofSeconds(1));
      relay.step();
    }
    slow.report(1, Outcome.PUBLISHED);
    bench.steps(relay, 5);
    assertThat(bench.parked())
        .singleElement()
        .satisfies(row -> assertThat(row.message().attempts()).isEqualTo(1));
    bench.clock.advance(Duration.ofDays(300));
    bench.steps(relay, 2_000);
    assertThat(mails.messages()).hasSize(1);
    assertThat(bench.parked()).isEmpty();
    assertThat(subscription().frontier().open().isEmpty()).isTrue();
  }
}
