// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.context.Wakeup;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomeOrderTest {

  private final RouteClient client =
      new RouteClient(
          new Unopened(), Duration.ofSeconds(1), new Wakeup(), new SetTime(), RouteLog.NONE);
  private final OutcomeOrder order = new OutcomeOrder("", told -> {}, client);
  private final Delivery second = delivery(2, "k");
  private final Delivery third = delivery(3, "k");
  private final Delivery fourth = delivery(4, "k");

  private static RouteClient.Arrived arrived(Delivery delivery, Outcome outcome) {
    return new RouteClient.Arrived(delivery, outcome, outcome, 0, null);
  }

  /** Rejects a message before an earlier one of its key, which has come back. */
  private void postpone(Delivery rejected) {
    List<Delivery> earlier = List.of(delivery(1, rejected.key()));
    assertThat(order.postpone(arrived(rejected, Outcome.rejected("too large")), earlier)).isTrue();
  }

  @Test
  void whatFollowsOfTheKeyWaitsUntilARejectionIsTaken() {
    postpone(second);
    assertThat(order.keepBack(third)).isTrue();
    assertThat(order.keepBack(delivery(1, "k"))).isFalse();
    assertThat(order.keepBack(delivery(5, "l"))).isFalse();
    assertThat(order.takeNotBehind(List.of(delivery(1, "k")))).isEmpty();
    assertThat(order.takeFreed()).isEmpty();
    assertThat(order.takeNotBehind(List.of()))
        .extracting(RouteClient.Arrived::delivery)
        .containsExactly(second);
    assertThat(order.takeFreed()).containsExactly(third);
    assertThat(order.takeFreed()).isEmpty();
    assertThat(order.keepBack(third)).isFalse();
  }

  @Test
  void thoseThatNeedNotWaitAreTakenInOrderOfPosition() {
    postpone(third);
    postpone(fourth);
    postpone(second);
    assertThat(order.takeNotBehind(List.of(third)))
        .extracting(RouteClient.Arrived::delivery)
        .containsExactly(second, third);
    assertThat(order.takeNotBehind(List.of())).hasSize(1);
  }

  @Test
  void allThatIsLeftIsClearedOnce() {
    postpone(second);
    order.keepBack(third);
    order.takeNotBehind(List.of());
    Delivery other = delivery(5, "l");
    Delivery behindIt = delivery(6, "l");
    postpone(other);
    order.keepBack(behindIt);
    assertThat(order.clear()).containsExactlyInAnyOrder(third, other, behindIt);
    assertThat(order.clear()).isEmpty();
    assertThat(order.keepBack(behindIt)).isFalse();
  }

  @Test
  void rejectionThatFollowsNothingIsNotPostponed() {
    RouteClient.Arrived rejected = arrived(second, Outcome.rejected("too large"));
    assertThat(order.postpone(rejected, List.of(third, delivery(1, "l")))).isFalse();
    assertThat(order.postpone(arrived(second, Outcome.PUBLISHED), List.of())).isFalse();
    assertThat(order.keepBack(third)).isFalse();
  }

  private static final class Unopened implements Publisher {

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      throw new IllegalStateException("nothing is sent");
    }
  }
}
