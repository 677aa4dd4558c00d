// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.parking.Breaker;
import io.outledger.parking.FailingKinds;
import io.outledger.parking.Suspects;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.publish.Outcome.Rejected.Kind;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BreakersTest {

  private static final long LATER = Duration.ofHours(1).toNanos();

  private final Backoff probes = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));
  private final Suspects<Delivery> suspects = Suspects.ofRoute();
  private final Breakers breakers =
      new Breakers(
          "",
          new BreakerPolicy(1, Duration.ofHours(9), probes, 100),
          new SplittableRandom(1),
          told -> {},
          suspects);

  @Test
  void keysMessagesAreKeptByOneBreakerWhateverTheirTypes() {
    Delivery first = delivery(1, "k", "a");
    Delivery second = delivery(2, "k", "b");
    assertThat(breakers.rejected(first, new Rejected("planted", Kind.SUSPECT), 0)).isTrue();
    assertThat(breakers.rejected(second, new Rejected("planted", Kind.SUSPECT), 0)).isTrue();

    assertThat(breakers.release(LATER)).containsExactly(first);
    assertThat(breakers.release(LATER)).isEmpty();
  }

  @Test
  void messagesWithoutAKeyCountEachForItself() {
    Breakers patient = breakers(2, Duration.ofHours(9));
    Rejected suspect = new Rejected("planted", Kind.SUSPECT);
    assertThat(patient.rejected(Deliveries.delivery(1, null), suspect, 0)).isFalse();
    assertThat(patient.rejected(Deliveries.delivery(1, null), suspect, 0)).isFalse();
    assertThat(patient.rejected(Deliveries.delivery(2, null), suspect, 0)).isTrue();
  }

  @Test
  void probeThatIsNeverSentIsNotWaitedFor() {
    Delivery first = delivery(1, "k", "a");
    Delivery second = delivery(2, "l", "a");
    breakers.rejected(first, new Rejected("planted", Kind.SUSPECT), 0);
    breakers.keepBack(second);
    assertThat(breakers.release(LATER)).containsExactly(first);

    breakers.probeEnded(first);

    assertThat(breakers.release(2 * LATER)).containsExactly(second);
  }

  @Test
  void messageIsNotSetAsideWhileAnEarlierOneOfItsKeyIsBeingTried() {
    Delivery first = delivery(1, "k", "a");
    Delivery second = delivery(2, "k", "a");
    Delivery other = delivery(3, "l", "a");
    breakers.rejected(first, new Rejected("planted", Kind.SUSPECT), 0);
    breakers.keepBack(second);
    breakers.keepBack(other);
    assertThat(breakers.release(LATER)).containsExactly(first);

    assertThat(breakers.takeOverflow(RouteShare.NOTHING, Set.of("k"))).isEqualTo(List.of(other));
    assertThat(breakers.keepsKeyOf(second)).isTrue();
  }

  @Test
  void probeOfOnePositionIsNotTheOtherMessageOfIt() {
    Delivery ofEarlierLedger = Deliveries.delivery(1, 101, "k");
    Delivery ofThisLedger = Deliveries.delivery(1, "l");
    Rejected suspect = new Rejected("planted", Kind.SUSPECT);
    breakers.rejected(ofThisLedger, suspect, 0);
    breakers.keepBack(ofEarlierLedger);
    assertThat(breakers.release(LATER)).containsExactly(ofThisLedger);
    assertThat(breakers.keeps(ofEarlierLedger)).isTrue();
    assertThat(breakers.keeps(ofThisLedger)).isFalse();
    assertThat(breakers.probeEnded(ofEarlierLedger)).isNull();
    assertThat(breakers.succeeded(ofThisLedger)).containsExactly(ofEarlierLedger);
    assertThat(breakers.keepsKey("k")).isFalse();
    assertThat(breakers.keepsKey("l")).isFalse();
    assertThat(breakers.load().messages()).isZero();
  }

  /** Senders make topics and types up: a shop of many tenants has one for each. */
  @Test
  void kindsThatAreMadeUpAreForgottenButNotTheOneThatKeepsSomething() {
    List<RelayEvent> events = new ArrayList<>();
    Breakers patient = breakers(2, Duration.ofHours(9), events::add);
    Rejected suspect = new Rejected("planted", Kind.SUSPECT);
    Delivery kept = delivery(2, "b", "kept");
    assertThat(patient.rejected(delivery(1, "a", "kept"), suspect, 0)).isFalse();
    assertThat(patient.rejected(kept, suspect, 0)).isTrue();
    for (int i = 1; i <= 3_000; i++) {
      assertThat(patient.rejected(delivery(10 + i, "k", "made up " + i), suspect, 0)).isFalse();
    }
    assertThat(patient.stateOf(kept)).isEqualTo(Breaker.State.OPEN);
    assertThat(patient.release(LATER)).containsExactly(kept);
    assertThat(patient.rejected(delivery(8_001, "l", "made up 1"), suspect, 0))
        .as("forgotten, and counted from the start")
        .isFalse();
    assertThat(patient.rejected(delivery(8_002, "l", "made up 3000"), suspect, 0)).isTrue();
    assertThat(events)
        .extracting(RelayEvent::getClass)
        .doesNotContain(RelayEvent.BreakerForgotten.class);
  }

  @Test
  void openOneThatKeepsNothingAndIsForgottenIsTold() {
    List<RelayEvent> events = new ArrayList<>();
    Breakers hasty = breakers(1, Duration.ofHours(9), events::add);
    Rejected suspect = new Rejected("planted", Kind.SUSPECT);
    hasty.rejected(delivery(1, "a", "first"), suspect, 0);
    hasty.takeOverflow(RouteShare.NOTHING, Set.of());
    for (int i = 1; i <= FailingKinds.KINDS_MAX; i++) {
      hasty.rejected(delivery(10 + i, "k" + i, "made up " + i), suspect, 0);
      hasty.takeOverflow(RouteShare.NOTHING, Set.of());
    }
    assertThat(events).contains(new RelayEvent.BreakerForgotten("", "orders", "first"));
    assertThat(hasty.stateOf(delivery(1, "a", "first"))).isEqualTo(Breaker.State.CLOSED);
  }

  @Test
  void stateIsThatOfTheTopicAndType() {
    Delivery first = delivery(1, "k", "a");
    assertThat(breakers.stateOf(first)).isEqualTo(Breaker.State.CLOSED);
    breakers.rejected(first, new Rejected("planted", Kind.SUSPECT), 0);
    assertThat(breakers.stateOf(first)).isEqualTo(Breaker.State.OPEN);
    assertThat(breakers.stateOf(delivery(2, "l", "b"))).isEqualTo(Breaker.State.CLOSED);
  }

  @Test
  void limitIsOfAllTogetherAndTheLargestGivesWay() {
    breakers.rejected(delivery(1, "k", "a"), new Rejected("planted", Kind.SUSPECT), 0);
    breakers.keepBack(delivery(2, "l", "a"));
    breakers.rejected(delivery(3, "m", "b"), new Rejected("planted", Kind.SUSPECT), 0);
    assertThat(breakers.takeOverflow(messages(3), Set.of())).isEmpty();
    assertThat(breakers.load().messages()).isEqualTo(3);
    assertThat(breakers.takeOverflow(messages(2), Set.of()))
        .extracting(Delivery::position)
        .containsExactly(1L);
    assertThat(breakers.load().messages()).isEqualTo(2);
  }

  @Test
  void limitIsOfTheirBytesAsWell() {
    for (int position = 1; position <= 4; position++) {
      breakers.rejected(
          delivery(position, "k" + position, "a"), new Rejected("planted", Kind.TOPIC), 0);
    }
    long each = breakers.load().bytes() / 4;
    assertThat(each).isPositive();
    RouteShare ofThree = new RouteShare(100, 3 * each, 0);
    assertThat(breakers.takeOverflow(ofThree, Set.of()))
        .as("the first that is not suspected")
        .extracting(Delivery::position)
        .containsExactly(2L);
    assertThat(breakers.load().bytes()).isEqualTo(3 * each);
    assertThat(breakers.takeOverflow(RouteShare.NOTHING, Set.of("k1", "k3"))).hasSize(1);
    assertThat(breakers.load().bytes()).isEqualTo(2 * each);
    assertThat(breakers.load().messages()).isEqualTo(2);
  }

  private static RouteShare messages(int count) {
    return new RouteShare(count, Long.MAX_VALUE, 0);
  }

  @Test
  void topicThatIsGoneKeepsItsMessagesBackAtOnceAndForAsLongAsItIsGone() {
    Breakers patient = breakers(20, Duration.ofNanos(1));
    Delivery only = delivery(1, "k", "a");
    assertThat(patient.rejected(only, new Rejected("planted", Kind.TOPIC), 0)).isTrue();
    for (int probe = 1; probe <= 100; probe++) {
      assertThat(patient.release(probe * LATER)).containsExactly(only);
      assertThat(patient.rejected(only, new Rejected("planted", Kind.TOPIC), probe * LATER))
          .isTrue();
    }
    assertThat(patient.stateOf(only)).isEqualTo(Breaker.State.OPEN);
  }

  @Test
  void topicThatIsThereAgainAndStillRejectsIsSuspectedFromThenOn() {
    Breakers patient = breakers(20, Duration.ofNanos(10));
    Delivery only = delivery(1, "k", "a");
    patient.rejected(only, new Rejected("planted", Kind.TOPIC), 0);
    patient.release(LATER);
    assertThat(patient.rejected(only, new Rejected("planted", Kind.SUSPECT), LATER)).isTrue();
    assertThat(patient.stateOf(only)).isEqualTo(Breaker.State.OPEN);
    patient.release(2 * LATER);
    patient.rejected(only, new Rejected("planted", Kind.SUSPECT), 2 * LATER);
    assertThat(patient.stateOf(only)).isEqualTo(Breaker.State.RATE_LIMITED);
    patient.release(3 * LATER);
    assertThat(patient.rejected(only, new Rejected("planted", Kind.TOPIC), 3 * LATER)).isTrue();
    assertThat(patient.stateOf(only)).isEqualTo(Breaker.State.OPEN);
  }

  @Test
  void topicOfWhichNothingIsKeptBackIsForgotten() {
    Delivery only = delivery(1, "k", "a");
    breakers.rejected(only, new Rejected("planted", Kind.TOPIC), 0);
    assertThat(breakers.takeOverflow(RouteShare.NOTHING, Set.of())).containsExactly(only);
    assertThat(breakers.stateOf(only)).isEqualTo(Breaker.State.CLOSED);
  }

  /** Set aside each time, it would have its whole topic wait again and again, and never be dead. */
  @Test
  void messageThatIsToBlameIsFoundAlthoughOthersAreSetAside() {
    Delivery poison = delivery(1, "k", "a");
    int failures = 1;
    while (breakers.rejected(poison, new Rejected("planted", Kind.TOPIC), failures * LATER)) {
      assertThat(++failures).isLessThan(5);
      for (int i = 0; i < 4; i++) {
        breakers.keepBack(delivery(10L * failures + i, "l" + i, "a"));
      }
      assertThat(breakers.takeOverflow(messages(3), Set.of())).hasSize(2).doesNotContain(poison);
      Delivery other = delivery(10L * failures + 9, "m", "a");
      assertThat(breakers.succeeded(other)).contains(poison);
      suspects.published(other);
    }
    assertThat(breakers.takeOverflow(RouteShare.NOTHING, Set.of())).isEmpty();
  }

  @Test
  void suspectIsSetAsideWhereThereIsNothingElseAndBeforeWhatIsBehindIt() {
    Delivery suspect = delivery(1, "k", "a");
    Delivery behind = delivery(2, "k", "a");
    Delivery other = delivery(3, "l", "a");
    breakers.rejected(suspect, new Rejected("planted", Kind.TOPIC), 0);
    breakers.keepBack(behind);
    breakers.keepBack(other);
    assertThat(breakers.takeOverflow(messages(1), Set.of())).containsExactly(other, suspect);
    assertThat(suspects.contains(suspect)).isFalse();
    assertThat(breakers.takeOverflow(RouteShare.NOTHING, Set.of())).containsExactly(behind);
  }

  /** Else it would come back out of its row with what it was suspected of before. */
  @Test
  void messageThatIsSetAsideIsSuspectedNoLonger() {
    Delivery only = delivery(1, "k", "a");
    breakers.rejected(only, new Rejected("planted", Kind.TOPIC), 0);
    assertThat(suspects.contains(only)).isTrue();
    assertThat(breakers.takeOverflow(RouteShare.NOTHING, Set.of())).containsExactly(only);
    assertThat(suspects.contains(only)).isFalse();
  }

  @Test
  void rejectionOfTheMessageAloneIsNotTheDestinations() {
    Delivery only = delivery(1, "k", "a");
    assertThat(breakers.rejected(only, new Rejected("planted", Kind.DEFINITE), 0)).isFalse();
    assertThat(breakers.rejected(only, new Rejected("planted", Kind.FINAL), 0)).isFalse();
    assertThat(breakers.stateOf(only)).isEqualTo(Breaker.State.CLOSED);
  }

  private Breakers breakers(int failures, Duration probeFor) {
    return breakers(failures, probeFor, told -> {});
  }

  private Breakers breakers(int failures, Duration probeFor, RelayListener listener) {
    return new Breakers(
        "",
        new BreakerPolicy(failures, probeFor, probes, 100),
        new SplittableRandom(1),
        listener,
        Suspects.ofRoute());
  }

  @Test
  void probesOutcomeIsToldToItsOwnBreaker() {
    Delivery first = delivery(1, "k", "a");
    breakers.rejected(first, new Rejected("planted", Kind.SUSPECT), 0);
    assertThat(breakers.probeEnded(first)).isNull();
    breakers.release(LATER);
    assertThat(breakers.probeEnded(first)).isNotNull();
    assertThat(breakers.probeEnded(first)).isNull();
  }

  @Test
  void probesThatFailForLongEnoughMakeItRateLimited() {
    Delivery first = delivery(1, "k", "a");
    breakers.rejected(first, new Rejected("planted", Kind.SUSPECT), 0);
    breakers.release(LATER);
    breakers.rejected(first, new Rejected("planted", Kind.SUSPECT), 10 * LATER);
    assertThat(breakers.stateOf(first)).isEqualTo(Breaker.State.RATE_LIMITED);
    assertThat(breakers.release(11 * LATER)).containsExactly(first);
    assertThat(breakers.rejected(first, new Rejected("planted", Kind.SUSPECT), 11 * LATER))
        .isFalse();
    assertThat(breakers.succeeded(first)).isEmpty();
    assertThat(breakers.stateOf(first)).isEqualTo(Breaker.State.CLOSED);
  }

  private static Delivery delivery(long position, String key, String type) {
    Message message = Message.to("orders", type).key(key).payload(new byte[100]).build();
    return new Delivery(new LedgerMessage(position, message), message, null, null, null);
  }
}
