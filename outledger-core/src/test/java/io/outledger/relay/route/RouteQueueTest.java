// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RouteQueueTest {

  private final RouteQueue queue = new RouteQueue();

  private void returned(long... positions) {
    queue.addInOrder(
        Arrays.stream(positions).mapToObj(position -> delivery(position, "k")).toList());
  }

  private List<Long> waiting() {
    List<Long> positions = new ArrayList<>();
    queue.forEach(delivery -> positions.add(delivery.position()));
    return positions;
  }

  @Test
  void whatAnOutageReturnsStandsBeforeWhatWaitedBehindItHoweverItComesBack() {
    queue.add(delivery(5, "k"));
    queue.add(delivery(6, "k"));
    returned(3, 1, 4);
    assertThat(waiting()).containsExactly(1L, 3L, 4L, 5L, 6L);
  }

  @Test
  void secondOutageReturnsIntoTheSameOrder() {
    returned(2, 1);
    assertThat(queue.takeFirst().position()).isEqualTo(1);
    queue.add(delivery(7, "k"));
    returned(1);
    returned(5, 4);
    assertThat(waiting()).containsExactly(1L, 2L, 4L, 5L, 7L);
  }

  @Test
  void messageIsTakenFromItsPlaceOnce() {
    returned(1, 2, 3);
    Place second = delivery(2, "k").place();
    assertThat(queue.take(second)).isNotNull();
    assertThat(queue.take(second)).isNull();
    assertThat(queue.take(delivery(9, "k").place())).isNull();
    assertThat(waiting()).containsExactly(1L, 3L);
  }

  @Test
  void messageIsTakenAndNotAnotherOneOfItsPosition() {
    Delivery ofEarlierLedger = delivery(2, 102, "l");
    returned(2);
    queue.add(ofEarlierLedger);
    assertThat(queue.take(ofEarlierLedger.place())).isSameAs(ofEarlierLedger);
    assertThat(queue.take(ofEarlierLedger.place())).isNull();
    assertThat(waiting()).containsExactly(2L);
  }

  @Test
  void messageKnowsWhetherAnEarlierOneOfItsKeyWaits() {
    queue.add(delivery(3, "k"));
    queue.add(delivery(1, "l"));
    assertThat(queue.hasEarlierOf(delivery(4, "k"))).isTrue();
    assertThat(queue.hasEarlierOf(delivery(3, "k"))).isFalse();
    assertThat(queue.hasEarlierOf(delivery(2, "k"))).isFalse();
    assertThat(queue.hasEarlierOf(delivery(9, "m"))).isFalse();
  }
}
