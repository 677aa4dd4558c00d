// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.parking.Suspects;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReturningRowsTest {

  private static final long SECOND = 1_000_000_000L;

  private final SetTime time = new SetTime();
  private final RouteShare share = new RouteShare(4, 1000, 1000);
  private final ReturningRows rows = new ReturningRows(share, time);
  private final Breakers breakers =
      new Breakers(
          "", BreakerPolicy.DEFAULT, new SplittableRandom(7), told -> {}, Suspects.ofRoute());
  private final Delivery row = Deliveries.delivery(1, "k");
  private final ReturningRows wide = new ReturningRows(new RouteShare(5000, 1L << 20, 1000), time);
  private final Delivery copy = row(false);
  private final Delivery blocking = row(true);

  private Delivery row(boolean blocks) {
    LedgerMessage origin = row.origin();
    ParkedMessage parked =
        new ParkedMessage(
            1, "", origin.message(), ParkedState.RETRYING, 0, blocks, null, false, 0, null);
    return new Delivery(origin, row.message(), parked, null, null);
  }

  private void bringBack(Delivery one, int count) {
    for (int i = 0; i < count; i++) {
      wide.move(one, RowState.RETRYING, RowState.UNDERWAY);
    }
  }

  private void end(int count) {
    for (int i = 0; i < count; i++) {
      rows.move(row, RowState.RETRYING, RowState.UNDERWAY);
      rows.move(row, RowState.UNDERWAY, RowState.NONE);
    }
  }

  /** As many as are read without waiting: the route's share. */
  private void holdTheShare() {
    hold(4);
  }

  private void hold(int count) {
    for (int i = 0; i < count; i++) {
      rows.move(row, RowState.NONE, RowState.HELD);
    }
  }

  @Test
  void noneIsWaitedForBeforeOneHasEnded() {
    rows.review(100);
    hold(20);
    assertThat(rows.goFirst()).isFalse();
  }

  @Test
  void nobodyWaitsBeforeAsManyAreHeldAsTheShare() {
    rows.review(100);
    end(1);
    hold(4);
    assertThat(rows.goFirst()).isFalse();
    hold(1);
    assertThat(rows.goFirst()).isTrue();
  }

  @Test
  void twoMustEndForEachMessageThatIsHeld() {
    rows.review(100);
    holdTheShare();
    end(10);
    assertThat(rows.goFirst()).isFalse();
    hold(20);
    assertThat(rows.goFirst()).isTrue();
    end(30);
    assertThat(rows.goFirst()).isTrue();
    end(1);
    assertThat(rows.goFirst()).isFalse();
  }

  @Test
  void nobodyWaitsWhereNoneHasEndedForASecond() {
    rows.review(100);
    end(1);
    hold(20);
    rows.move(row, RowState.RETRYING, RowState.UNDERWAY);
    time.nanos += SECOND - 1;
    rows.move(row, RowState.UNDERWAY, RowState.HELD);
    assertThat(rows.goFirst()).isTrue();
    time.nanos++;
    assertThat(rows.goFirst()).isFalse();
  }

  @Test
  void routeIsBehindFromItsShareOnUntilNothingIsLeft() {
    end(1);
    hold(20);
    rows.review(4);
    hold(20);
    assertThat(rows.goFirst()).isFalse();
    rows.review(5);
    rows.review(1);
    assertThat(rows.goFirst()).isTrue();
    rows.review(0);
    assertThat(rows.goFirst()).isFalse();
  }

  @Test
  void asManyComeBackAsTheShareAllowsAndWhatABreakerKeepsBackDoesNotCount() {
    for (int i = 0; i < 4; i++) {
      assertThat(rows.room(breakers)).isPositive();
      rows.move(row, RowState.RETRYING, RowState.UNDERWAY);
    }
    assertThat(rows.room(breakers)).isZero();
    breakers.rejected(row, new Rejected("planted", Rejected.Kind.TOPIC), 0);
    assertThat(rows.room(breakers)).isPositive();
    rows.move(row, RowState.RETRYING, RowState.UNDERWAY);
    assertThat(rows.room(breakers)).isZero();
    rows.move(row, RowState.UNDERWAY, RowState.HELD);
    assertThat(rows.room(breakers)).isPositive();
  }

  @Test
  void fewOfThoseThatBlockNoKeyAreUnderwayAtATime() {
    assertThat(wide.room(breakers)).isEqualTo(ReturningRows.FREE_AT_ONCE_MAX);
    bringBack(copy, 1);
    assertThat(wide.room(breakers)).isEqualTo(ReturningRows.FREE_AT_ONCE_MAX);
    bringBack(copy, ReturningRows.FREE_MAX - 2);
    assertThat(wide.room(breakers)).isEqualTo(1);
    bringBack(copy, 1);
    assertThat(wide.room(breakers)).isZero();
    wide.move(copy, RowState.UNDERWAY, RowState.NONE);
    assertThat(wide.room(breakers)).isEqualTo(1);
  }

  @Test
  void thoseThatBlockTheirKeyAreManyWhileNoneOfTheOthersIsUnderway() {
    bringBack(copy, 1);
    bringBack(blocking, 500);
    assertThat(wide.room(breakers)).isEqualTo(ReturningRows.FREE_AT_ONCE_MAX);
    wide.move(copy, RowState.UNDERWAY, RowState.NONE);
    assertThat(wide.room(breakers)).isEqualTo(ReturningRows.AT_ONCE_MAX);
  }

  @Test
  void othersAreBroughtBackWhereNoneHasEndedForASecond() {
    bringBack(copy, ReturningRows.FREE_MAX);
    time.nanos += SECOND - 1;
    assertThat(wide.room(breakers)).isZero();
    time.nanos++;
    assertThat(wide.room(breakers)).isEqualTo(ReturningRows.FREE_AT_ONCE_MAX);
    wide.move(copy, RowState.UNDERWAY, RowState.NONE);
    bringBack(copy, 1);
    assertThat(wide.room(breakers)).isZero();
  }

  @Test
  void thoseThatAreLetGoLeaveTheirRoomToOthers() {
    bringBack(copy, ReturningRows.FREE_MAX);
    assertThat(wide.room(breakers)).isZero();
    for (int i = 0; i < ReturningRows.FREE_MAX; i++) {
      wide.putBack(copy);
    }
    assertThat(wide.room(breakers)).isEqualTo(ReturningRows.FREE_AT_ONCE_MAX);
  }
}
