// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.context.ReadAhead;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.context.Wakeup;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.Subject;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.store.FailedAttempt;
import io.outledger.store.LeaseGrant.BlockedKey;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RouteParkingTest {

  private static final String ROUTE = "audit";
  private static final Rejected TOO_LARGE = new Rejected("too large", Rejected.Kind.DEFINITE);
  private static final Rejected HOPELESS = new Rejected("no such type", Rejected.Kind.FINAL);
  private static final Backoff SECOND = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1));

  private final PendingSave pendingSave = new PendingSave(1);
  private final List<RelayEvent> events = new ArrayList<>();
  private static final Place FIRST = new Place(0, 0, new UUID(0, 0));

  private RouteParking parking = parking(DeadLetter.KEY_GOES_ON);

  private RouteParking parking(DeadLetter deadLetter) {
    RelayOptions options =
        RelayOptions.builder().retry(new RetryPolicy(5, SECOND, deadLetter)).build();
    return new RouteParking(
        ROUTE,
        new RelayContext(
            options,
            new SetTime(),
            new SplittableRandom(1),
            events::add,
            new Wakeup(),
            ReadAhead.AT_ONCE),
        pendingSave,
        new KnownPauses(),
        RouteShare.NOTHING);
  }

  private KeyBlocks blocks() {
    return parking.keys();
  }

  /** Returns a row with three failed attempts that has waited and is being tried now. */
  private Delivery tried(long position, @Nullable String key) {
    Delivery fresh = delivery(position, key);
    if (key != null) {
      blocks().load(new BlockedKey(ROUTE, key, 2, 1));
    }
    ParkedMessage row =
        new ParkedMessage(
            position,
            ROUTE,
            fresh.message(),
            ParkedState.RETRYING,
            3,
            key != null,
            null,
            false,
            0,
            null);
    Delivery delivery = new Delivery(fresh.origin(), fresh.message(), row, null, null);
    parking.rows().bringBack(delivery);
    return delivery;
  }

  private static Subject subject(long id, long position) {
    return new Subject(new UUID(0, id), "k", position, ROUTE);
  }

  private ParkedChange.Park onlyPark() {
    assertThat(pendingSave.changes()).hasSize(1);
    return (ParkedChange.Park) pendingSave.changes().get(0);
  }

  private ParkedChange.Fail onlyFailure() {
    assertThat(pendingSave.changes()).hasSize(1);
    return (ParkedChange.Fail) pendingSave.changes().get(0);
  }

  @Test
  void messageThatIsSetAsideUntriedIsTriedLaterAndNoAttemptIsCounted() {
    parking.parkUntried(delivery(1, "k"), "not tried");
    ParkedChange.Park park = onlyPark();
    assertThat(park.message().state()).isEqualTo(ParkedState.RETRYING);
    assertThat(park.message().attempts()).isZero();
    assertThat(park.retryIn()).isNotNull();
    assertThat(park.error()).isEqualTo("not tried");
    assertThat(blocks().isBehindAny("k", FIRST, false)).isTrue();
    assertThat(pendingSave.settledPositions().contains(1)).isTrue();
    assertThat(events).containsExactly(new RelayEvent.Parked(subject(1, 1), 0, "not tried"));
  }

  @Test
  void rowThatIsSetAsideAgainKeepsItsAttempts() {
    parking.parkUntried(tried(1, "k"), "not tried");
    ParkedChange.Fail failure = onlyFailure();
    assertThat(failure.state()).isEqualTo(ParkedState.RETRYING);
    assertThat(failure.attempts()).isEqualTo(3);
    assertThat(failure.blocks()).isTrue();
    assertThat(failure.retryIn()).isNotNull();
    assertThat(blocks().isBehindAny("k", FIRST, false)).isTrue();
    assertThat(events).containsExactly(new RelayEvent.Parked(subject(1, 1), 3, "not tried"));
  }

  @Test
  void messageThatWaitsForWhatIsNotHereYetCountsNoAttempt() {
    Rejected notYet = new Rejected("a newer state", Rejected.Kind.NOT_YET);
    parking.reject(delivery(1, "k"), notYet, FailedAttempt.UNTIMED);
    ParkedChange.Park park = onlyPark();
    assertThat(park.message().state()).isEqualTo(ParkedState.RETRYING);
    assertThat(park.message().attempts()).isZero();
    assertThat(park.retryIn()).isNotNull();
    assertThat(blocks().isBehindAny("k", FIRST, false)).isTrue();
    assertThat(events).containsExactly(new RelayEvent.Parked(subject(1, 1), 0, "a newer state"));
  }

  @Test
  void rowThatStillWaitsForWhatIsNotHereYetKeepsItsAttempts() {
    Rejected notYet = new Rejected("a newer state", Rejected.Kind.NOT_YET);
    parking.reject(tried(1, "k"), notYet, FailedAttempt.UNTIMED);
    ParkedChange.Fail failure = onlyFailure();
    assertThat(failure.state()).isEqualTo(ParkedState.RETRYING);
    assertThat(failure.attempts()).isEqualTo(3);
    assertThat(failure.retryIn()).isGreaterThan(Duration.ofSeconds(1));
  }

  @Test
  void rowThatIsRejectedAgainWaitsAnew() {
    parking.reject(tried(1, "k"), TOO_LARGE, FailedAttempt.UNTIMED);
    ParkedChange.Fail failure = onlyFailure();
    assertThat(failure.state()).isEqualTo(ParkedState.RETRYING);
    assertThat(failure.attempts()).isEqualTo(4);
    assertThat(failure.retryIn()).isNotNull();
    assertThat(blocks().isBehindAny("k", FIRST, false)).isTrue();
    assertThat(events).containsExactly(new RelayEvent.Parked(subject(1, 1), 4, "too large"));
  }

  /** Were both to wait for times of their own, the later might be tried first. */
  @Test
  void oneRowOfAKeyWaitsAndTheOthersAreHeld() {
    parking.reject(delivery(1, "k"), TOO_LARGE, FailedAttempt.UNTIMED);
    pendingSave.saved();
    parking.reject(delivery(2, "k"), TOO_LARGE, FailedAttempt.UNTIMED);
    ParkedChange.Park park = onlyPark();
    assertThat(park.message().state()).isEqualTo(ParkedState.HELD);
    assertThat(park.message().attempts()).isEqualTo(1);
    assertThat(park.retryIn()).isNull();
  }

  @Test
  void rowThatIsRejectedAgainBehindOneThatWaitsIsHeld() {
    Delivery second = tried(2, "k");
    blocks().move("k", FIRST, RowState.NONE, RowState.RETRYING);
    parking.reject(second, TOO_LARGE, FailedAttempt.UNTIMED);
    assertThat(onlyFailure().state()).isEqualTo(ParkedState.HELD);
    assertThat(onlyFailure().retryIn()).isNull();
    blocks().move("k", FIRST, RowState.RETRYING, RowState.UNDERWAY);
    assertThat(blocks().isBehindAny("k", FIRST, false)).isFalse();
  }

  @Test
  void messagesWithoutAKeyEachWaitForThemselves() {
    parking.reject(delivery(1, null), TOO_LARGE, FailedAttempt.UNTIMED);
    assertThat(onlyPark().message().state()).isEqualTo(ParkedState.RETRYING);
    assertThat(onlyPark().message().blocks()).isFalse();
    pendingSave.saved();
    parking.reject(tried(2, null), TOO_LARGE, FailedAttempt.UNTIMED);
    assertThat(onlyFailure().state()).isEqualTo(ParkedState.RETRYING);
    assertThat(onlyFailure().blocks()).isFalse();
    assertThat(onlyFailure().retryIn()).isNotNull();
  }

  @Test
  void deadLettersKeyGoesOnWithTheNextSave() {
    parking.reject(tried(1, "k"), HOPELESS, FailedAttempt.UNTIMED);
    assertThat(onlyFailure().state()).isEqualTo(ParkedState.DEAD);
    assertThat(onlyFailure().blocks()).isFalse();
    assertThat(blocks().isBehindAny("k", FIRST, false)).isFalse();
    assertThat(blocks().takeReleasable(10, key -> false)).containsExactly("k");
    assertThat(events).containsExactly(new RelayEvent.Died(subject(1, 1), 4, "no such type"));
  }

  @Test
  void deadLettersKeyWaitsForAnOperatorWhereThePolicySaysSo() {
    parking = parking(DeadLetter.KEY_STAYS_BLOCKED);
    parking.reject(tried(1, "k"), HOPELESS, FailedAttempt.UNTIMED);
    assertThat(onlyFailure().state()).isEqualTo(ParkedState.DEAD);
    assertThat(onlyFailure().blocks()).isTrue();
    assertThat(blocks().isBehindAny("k", FIRST, false)).isTrue();
    assertThat(blocks().takeReleasable(10, key -> false)).isEmpty();
  }

  @Test
  void deadLetterWithoutAKeyBlocksNothingWhateverThePolicy() {
    parking = parking(DeadLetter.KEY_STAYS_BLOCKED);
    parking.reject(tried(1, null), HOPELESS, FailedAttempt.UNTIMED);
    assertThat(onlyFailure().blocks()).isFalse();
    pendingSave.saved();
    parking.reject(delivery(2, null), HOPELESS, FailedAttempt.UNTIMED);
    assertThat(onlyPark().message().blocks()).isFalse();
  }

  @Test
  void reasonIsKeptWithoutWhatADatabaseRefusesAndNotAtAnyLength() {
    parking.reject(
        delivery(1, "k"),
        new Rejected("\0" + "x".repeat(2_000), HOPELESS.kind()),
        FailedAttempt.UNTIMED);
    assertThat(onlyPark().error()).isEqualTo("\\u0000" + "x".repeat(1_994));
  }

  @Test
  void listenerHearsOfWhatIsHeldRecoveredAndDiscarded() {
    Delivery row = tried(1, "k");
    assertThat(parking.parkIfBlocked(delivery(2, "k"))).isTrue();
    parking.recovered(row);
    parking.discard(
        new ParkedMessage(
            3, ROUTE, row.message(), ParkedState.DEAD, 5, false, null, false, 0, null));
    assertThat(events)
        .containsExactly(
            new RelayEvent.Held(subject(2, 2)),
            new RelayEvent.Recovered(subject(1, 1), 4),
            new RelayEvent.Discarded(subject(1, 3)));
  }

  /** A held row that is not tried is as it was: nothing is written, and no attempt counts. */
  @Test
  void heldRowStaysBehindOneThatIsRejectedAgain() {
    Delivery first = tried(1, "k");
    Delivery read = delivery(2, "k");
    ParkedMessage row =
        new ParkedMessage(
            2, ROUTE, read.message(), ParkedState.HELD, 0, true, null, false, 0, null);
    Delivery second = new Delivery(read.origin(), read.message(), row, null, null);
    parking.rows().bringBack(second);
    parking.reject(first, TOO_LARGE, FailedAttempt.UNTIMED);
    pendingSave.saved();

    assertThat(parking.parkIfBlocked(second)).isTrue();

    assertThat(pendingSave.changes()).isEmpty();
    assertThat(blocks().isBehindAny("k", FIRST, false)).isTrue();
  }

  @Test
  void deadLetterThatIsTriedAgainAndBlocksNothingLeavesItsKeyFree() {
    Delivery read = delivery(1, "k");
    ParkedMessage row =
        new ParkedMessage(
            1, ROUTE, read.message(), ParkedState.DEAD, 5, false, null, false, 0, null);
    Delivery dead = new Delivery(read.origin(), read.message(), row, null, null);
    parking.rows().bringBack(dead);
    parking.parkUntried(dead, "not tried");
    assertThat(onlyFailure().state()).isEqualTo(ParkedState.RETRYING);
    assertThat(onlyFailure().blocks()).isFalse();
    assertThat(blocks().isBlocked("k")).isFalse();
  }
}
