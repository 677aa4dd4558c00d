// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome;
import org.junit.jupiter.api.Test;

class OutOfOrderRejectionsTest {

  private final OutOfOrderRejections early = new OutOfOrderRejections();
  private final Delivery second = delivery(2, "k");
  private final Delivery third = delivery(3, "k");
  private final Delivery fourth = delivery(4, "k");

  private void add(Delivery rejected) {
    early.add(new RouteClient.Arrived(rejected, Outcome.rejected("too large")));
  }

  @Test
  void whatFollowsOfTheKeyWaitsUntilARejectionIsTaken() {
    add(second);
    assertThat(early.keepBack(third)).isTrue();
    assertThat(early.keepBack(delivery(1, "k"))).isFalse();
    assertThat(early.keepBack(delivery(5, "l"))).isFalse();
    assertThat(early.take(rejected -> true)).isEmpty();
    assertThat(early.takeFreed()).isEmpty();
    assertThat(early.take(rejected -> false))
        .extracting(RouteClient.Arrived::delivery)
        .containsExactly(second);
    assertThat(early.takeFreed()).containsExactly(third);
    assertThat(early.takeFreed()).isEmpty();
    assertThat(early.keepBack(third)).isFalse();
  }

  @Test
  void thoseThatNeedNotWaitAreTakenInOrderOfPosition() {
    add(third);
    add(fourth);
    add(second);
    assertThat(early.take(fourth::equals))
        .extracting(RouteClient.Arrived::delivery)
        .containsExactly(second, third);
    assertThat(early.take(rejected -> false)).hasSize(1);
  }

  @Test
  void allThatIsLeftIsClearedOnce() {
    add(second);
    early.keepBack(third);
    early.take(rejected -> false);
    Delivery other = delivery(5, "l");
    Delivery behindIt = delivery(6, "l");
    add(other);
    early.keepBack(behindIt);
    assertThat(early.clear()).containsExactlyInAnyOrder(third, other, behindIt);
    assertThat(early.clear()).isEmpty();
    assertThat(early.keepBack(behindIt)).isFalse();
  }
}
