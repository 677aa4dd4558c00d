// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.options.BreakerPolicy;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReturningRowsTest {

  private static final long SECOND = 1_000_000_000L;

  private final SetTime time = new SetTime();
  private final RouteShare share = new RouteShare(4, 1000, 1000);
  private final ReturningRows rows = new ReturningRows(share, time);
  private final Breakers breakers =
      new Breakers("", BreakerPolicy.DEFAULT, new SplittableRandom(7), told -> {}, new Suspects());
  private final Delivery row = Deliveries.delivery(1, "k");

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
      assertThat(rows.hasRoom(breakers)).isTrue();
      rows.move(row, RowState.RETRYING, RowState.UNDERWAY);
    }
    assertThat(rows.hasRoom(breakers)).isFalse();
    breakers.rejected(row, new Rejected("planted", Rejected.Kind.TOPIC), 0);
    assertThat(rows.hasRoom(breakers)).isTrue();
    rows.move(row, RowState.RETRYING, RowState.UNDERWAY);
    assertThat(rows.hasRoom(breakers)).isFalse();
    rows.move(row, RowState.UNDERWAY, RowState.HELD);
    assertThat(rows.hasRoom(breakers)).isTrue();
  }
}
