// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.store.ParkedState;
import io.outledger.testing.ParkedRow;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** When parked messages are looked for, and what becomes of them then. */
class ParkedWorkTest {

  private static final Rejected DEFINITE = new Rejected("too large", Rejected.Kind.DEFINITE);
  private static final Rejected FINAL = new Rejected("no such type", Rejected.Kind.FINAL);

  private final RelayBench bench = new RelayBench(KeyOrder.ONE_AT_A_TIME);

  ParkedWorkTest() {
    retryWithin(Duration.ofMillis(500));
  }

  private void retryWithin(Duration time) {
    bench.options =
        RelayBench.options()
            .retry(new RetryPolicy(5, new Backoff(time, time), DeadLetter.KEY_GOES_ON))
            .build();
  }

  /** Returns an owner that has looked for parked messages a moment ago. */
  private Relay owner() {
    Relay relay = bench.relay();
    bench.steps(relay, 3);
    return relay;
  }

  /** Goes to the very moment in which the only parked message is due, and takes a step. */
  private StepReport stepWhenDue(Relay relay) {
    ParkedRow row = bench.parked().get(0);
    bench.clock.advance(
        Duration.between(bench.clock.now(), Objects.requireNonNull(row.nextAttemptAt())));
    return relay.step();
  }

  @Test
  void messageIsTriedInTheMomentInWhichItIsDue() {
    Relay relay = owner();
    bench.publisher.rejectNext(2, DEFINITE);
    bench.append("a", 1, 1);
    relay.step();
    stepWhenDue(relay);
    relay.step();
    assertThat(bench.parked()).extracting(row -> row.message().attempts()).containsExactly(2);
    assertThat(stepWhenDue(relay).nextIn()).isZero();
    relay.step();
    assertThat(bench.published()).containsExactly("a1");
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void whatAnOperatorWantsIsLookedForOnceASecond() {
    bench.publisher.rejectNext(1, FINAL);
    bench.append("a", 1, 1);
    Relay relay = owner();
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestRetry(1, "");
    int before = bench.calls("due");
    bench.steps(relay, 40);
    assertThat(bench.calls("due")).isEqualTo(before);
    assertThat(bench.published()).isEmpty();
    bench.steps(relay, 15);
    assertThat(bench.calls("due")).isEqualTo(before + 1);
    assertThat(bench.calls("discards")).isEqualTo(before + 1);
    assertThat(bench.published()).containsExactly("a1");
  }

  @Test
  void moreDiscardsThanOneLookReturnsAreDoneAtOnce() {
    bench.publisher.rejectNext(450, FINAL);
    Relay relay = owner();
    for (int i = 1; i <= 450; i++) {
      bench.append("key " + i + " ", 1, 1);
    }
    relay.step();
    for (int i = 1; i <= 450; i++) {
      bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestDiscard(i, "");
    }
    bench.clock.advance(Duration.ofSeconds(1));
    bench.steps(relay, 7);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void moreRowsThanOneLookReturnsAreTriedAtOnce() {
    bench.publisher.rejectNext(450, DEFINITE);
    Relay relay = owner();
    for (int i = 0; i < 450; i++) {
      bench.append("key " + i + " ", 1, 1);
    }
    relay.step();
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(450);
    bench.clock.advance(Duration.ofSeconds(2));
    bench.steps(relay, 7);
    assertThat(bench.published()).hasSize(450);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void whatTheFilterNoLongerWantsIsTakenAwayAndItsKeyGoesOn() {
    bench.publisher.rejectNext(1, DEFINITE);
    bench.append("a", 1, 4);
    Relay former = owner();
    former.handOver();
    former.step();
    bench.options =
        RelayBench.options()
            .transforms(
                Transforms.NONE.withFilter(
                    Accepts.rule("3", message -> message.id().getLeastSignificantBits() > 2)))
            .replaces("")
            .build();
    Relay relay = bench.relay();
    for (int second = 0; second < 3; second++) {
      bench.clock.advance(Duration.ofSeconds(1));
      bench.steps(relay, 2);
    }
    assertThat(bench.published()).containsExactly("a3", "a4");
    assertThat(bench.parked()).isEmpty();
    bench.append("a", 5, 5);
    relay.step();
    assertThat(bench.published()).containsExactly("a3", "a4", "a5");
  }

  @Test
  void heldRowsBehindOneThatIsRejectedStayHeld() {
    bench.publisher.rejectNext(1, DEFINITE);
    bench.append("a", 1, 4);
    Relay relay = owner();
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(3);
    bench.publisher.rejectWhen(message -> message.id().getLeastSignificantBits() == 2, DEFINITE);
    while (bench.published().isEmpty()) {
      bench.steps(relay, 1);
    }
    relay.step();
    relay.step();
    assertThat(bench.published()).containsExactly("a1");
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(1);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(2);
    bench.publisher.acceptAll();
    bench.steps(relay, 100);
    assertThat(bench.published()).containsExactly("a1", "a2", "a3", "a4");
    assertThat(bench.events(RelayEvent.Held.class)).hasSize(3);
  }

  @Test
  void keyIsFreeOnceItsLastRowIsGone() {
    bench.publisher.rejectNext(1, DEFINITE);
    bench.append("a", 1, 1);
    Relay relay = owner();
    bench.steps(relay, 100);
    assertThat(bench.parked()).isEmpty();
    bench.append("a", 2, 2);
    relay.step();
    assertThat(bench.published()).containsExactly("a1", "a2");
    assertThat(bench.events(RelayEvent.Held.class)).isEmpty();
  }

  @Test
  void whatIsParkedForARouteThatIsNoMoreStaysUnlessItIsToBeDiscarded() {
    bench.publisher.rejectNext(2, FINAL);
    bench.append("a", 1, 2);
    Relay former = bench.relay(List.of(new Route("old", bench.publisher, Accepts.everything())));
    bench.steps(former, 2);
    former.handOver();
    former.step();
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestRetry(1, "old");
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestDiscard(2, "old");
    bench.publisher.rejectNext(2, FINAL);
    bench.append("b", 1, 2);
    bench.options = RelayBench.options().replaces("old").build();
    Relay relay = owner();
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestRetry(3, "");
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestDiscard(4, "");
    bench.steps(relay, 60);
    assertThat(bench.published()).containsExactly("b1");
    assertThat(bench.events(RelayEvent.Discarded.class))
        .extracting(discarded -> discarded.message().position())
        .containsExactly(2L, 4L);
    assertThat(bench.parked()).extracting(row -> row.message().position()).containsExactly(1L);
  }

  @Test
  void manyRowsOfARouteThatIsNoMoreAreInNobodysWay() {
    bench.publisher.rejectNext(250, DEFINITE);
    for (int i = 0; i < 250; i++) {
      bench.append("old " + i + " ", 1, 1);
    }
    Relay former = bench.relay(List.of(new Route("old", bench.publisher, Accepts.everything())));
    bench.steps(former, 2);
    former.handOver();
    former.step();
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(250);
    bench.publisher.rejectNext(1, DEFINITE);
    bench.append("new", 1, 2);
    bench.options = RelayBench.options().replaces("old").build();
    Relay relay = owner();
    bench.steps(relay, 150);
    assertThat(bench.published()).containsExactly("new1", "new2");
    assertThat(bench.parked()).hasSize(250);
    assertThat(bench.events(RelayEvent.ParkedElsewhere.class))
        .containsExactly(new RelayEvent.ParkedElsewhere("old", 250));
  }

  @Test
  void whatIsParkedForARouteThatIsNoMoreIsCountedAtATakeOverAndEveryTenMinutes() {
    Relay relay = owner();
    bench.steps(relay, 100);
    assertThat(bench.calls("parkedElsewhere")).isEqualTo(1);
    for (int minute = 0; minute < 12; minute++) {
      for (int i = 0; i < 12; i++) {
        bench.clock.advance(Duration.ofSeconds(5));
        relay.step();
      }
    }
    assertThat(bench.calls("parkedElsewhere")).isEqualTo(2);
  }

  /** Three dead letters are to be tried again, and their destination goes away meanwhile. */
  private Relay ownerOfThreeThatWait() {
    bench.publisher.rejectNext(3, FINAL);
    bench.append("a", 1, 1);
    bench.append("b", 1, 1);
    bench.append("c", 1, 1);
    Relay relay = owner();
    bench.publisher.goDown();
    for (int position = 1; position <= 3; position++) {
      bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestRetry(position, "");
    }
    bench.steps(relay, 60);
    assertThat(bench.parked()).hasSize(3);
    return relay;
  }

  @Test
  void whatIsDiscardedWhileItsDestinationIsAwayIsNeverPublished() {
    Relay relay = ownerOfThreeThatWait();
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestDiscard(1, "");
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestDiscard(2, "");
    bench.steps(relay, 60);
    assertThat(bench.parked()).extracting(row -> row.message().position()).containsExactly(3L);
    bench.publisher.comeBack();
    bench.steps(relay, 1_000);
    assertThat(bench.published()).containsExactly("c1");
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void whatIsWithdrawnWhileItsDestinationIsAwayIsNeverPublished() {
    Relay relay = ownerOfThreeThatWait();
    for (int position = 1; position <= 3; position++) {
      bench.ledger.subscription(RelayBench.SUBSCRIPTION).withdraw(position);
    }
    bench.steps(relay, 60);
    assertThat(bench.parked()).isEmpty();
    bench.publisher.comeBack();
    bench.steps(relay, 1_000);
    assertThat(bench.published()).isEmpty();
  }
}
