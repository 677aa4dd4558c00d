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
  private final KeyBlocks blocks = new KeyBlocks();
  private final List<RelayEvent> events = new ArrayList<>();
  private final RouteParking parking = parking(DeadLetter.KEY_GOES_ON);

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
        blocks,
        new ReturningRows(RouteShare.NOTHING, new SetTime()));
  }

  /** Returns a row with three failed attempts that has waited and is being tried now. */
  private Delivery tried(long position, @Nullable String key) {
    Delivery fresh = delivery(position, key);
    if (key != null) {
      blocks.load(new BlockedKey(ROUTE, key, 2, 1));
      blocks.trying(key, true);
    }
    ParkedMessage row =
        new ParkedMessage(
            position, ROUTE, fresh.message(), ParkedState.RETRYING, 3, key != null, null);
    return new Delivery(fresh.origin(), fresh.message(), row, null, null);
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
    assertThat(blocks.waits("k")).isTrue();
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
    assertThat(blocks.waits("k")).isTrue();
    assertThat(events).containsExactly(new RelayEvent.Parked(subject(1, 1), 3, "not tried"));
  }

  @Test
  void rowThatIsRejectedAgainWaitsAnew() {
    parking.reject(tried(1, "k"), TOO_LARGE);
    ParkedChange.Fail failure = onlyFailure();
    assertThat(failure.state()).isEqualTo(ParkedState.RETRYING);
    assertThat(failure.attempts()).isEqualTo(4);
    assertThat(failure.retryIn()).isNotNull();
    assertThat(blocks.waits("k")).isTrue();
    assertThat(events).containsExactly(new RelayEvent.Parked(subject(1, 1), 4, "too large"));
  }

  /** Were both to wait for times of their own, the later might be tried first. */
  @Test
  void oneRowOfAKeyWaitsAndTheOthersAreHeld() {
    parking.reject(delivery(1, "k"), TOO_LARGE);
    pendingSave.saved();
    parking.reject(delivery(2, "k"), TOO_LARGE);
    ParkedChange.Park park = onlyPark();
    assertThat(park.message().state()).isEqualTo(ParkedState.HELD);
    assertThat(park.message().attempts()).isEqualTo(1);
    assertThat(park.retryIn()).isNull();
  }

  @Test
  void rowThatIsRejectedAgainBehindOneThatWaitsIsHeld() {
    Delivery second = tried(2, "k");
    blocks.added("k", true);
    parking.reject(second, TOO_LARGE);
    assertThat(onlyFailure().state()).isEqualTo(ParkedState.HELD);
    assertThat(onlyFailure().retryIn()).isNull();
    blocks.trying("k", true);
    assertThat(blocks.waits("k")).isFalse();
  }

  @Test
  void messagesWithoutAKeyEachWaitForThemselves() {
    parking.reject(delivery(1, null), TOO_LARGE);
    assertThat(onlyPark().message().state()).isEqualTo(ParkedState.RETRYING);
    assertThat(onlyPark().message().blocks()).isFalse();
    pendingSave.saved();
    parking.reject(tried(2, null), TOO_LARGE);
    assertThat(onlyFailure().state()).isEqualTo(ParkedState.RETRYING);
    assertThat(onlyFailure().blocks()).isFalse();
    assertThat(onlyFailure().retryIn()).isNotNull();
  }

  @Test
  void deadLettersKeyGoesOnWithTheNextSave() {
    parking.reject(tried(1, "k"), HOPELESS);
    assertThat(onlyFailure().state()).isEqualTo(ParkedState.DEAD);
    assertThat(onlyFailure().blocks()).isFalse();
    assertThat(blocks.waits("k")).isFalse();
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
    assertThat(events).containsExactly(new RelayEvent.Died(subject(1, 1), 4, "no such type"));
  }

  @Test
  void deadLettersKeyWaitsForAnOperatorWhereThePolicySaysSo() {
    parking(DeadLetter.KEY_STAYS_BLOCKED).reject(tried(1, "k"), HOPELESS);
    assertThat(onlyFailure().state()).isEqualTo(ParkedState.DEAD);
    assertThat(onlyFailure().blocks()).isTrue();
    assertThat(blocks.waits("k")).isTrue();
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
  }

  @Test
  void deadLetterWithoutAKeyBlocksNothingWhateverThePolicy() {
    RouteParking strict = parking(DeadLetter.KEY_STAYS_BLOCKED);
    strict.reject(tried(1, null), HOPELESS);
    assertThat(onlyFailure().blocks()).isFalse();
    pendingSave.saved();
    strict.reject(delivery(2, null), HOPELESS);
    assertThat(onlyPark().message().blocks()).isFalse();
  }

  @Test
  void reasonIsKeptWithoutWhatADatabaseRefusesAndNotAtAnyLength() {
    parking.reject(delivery(1, "k"), new Rejected("\0" + "x".repeat(2_000), HOPELESS.kind()));
    assertThat(onlyPark().error()).isEqualTo("\\u0000" + "x".repeat(1_994));
  }

  @Test
  void listenerHearsOfWhatIsHeldRecoveredAndDiscarded() {
    parking.hold(delivery(2, "k"), "k");
    Delivery row = tried(1, "k");
    parking.recovered(row);
    parking.discard(new ParkedMessage(3, ROUTE, row.message(), ParkedState.DEAD, 5, false, null));
    assertThat(events)
        .containsExactly(
            new RelayEvent.Held(subject(2, 2)),
            new RelayEvent.Recovered(subject(1, 1)),
            new RelayEvent.Discarded(subject(1, 3)));
  }
}
