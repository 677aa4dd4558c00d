// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome;
import io.outledger.relay.context.ReadAhead;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.context.Wakeup;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RelayOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LongDeliveriesTest {

  private final List<RelayEvent> events = new ArrayList<>();
  private final LongDeliveries longOnes =
      new LongDeliveries(
          "mail",
          new RelayContext(
              RelayOptions.builder().build(),
              new SetTime(),
              new SplittableRandom(1),
              events::add,
              new Wakeup(),
              ReadAhead.AT_ONCE));

  private void look(int seconds, Map<Long, RouteClient.Sent> inFlight) {
    longOnes.look(Duration.ofSeconds(seconds).toNanos(), inFlight);
  }

  private static Map<Long, RouteClient.Sent> sentAt(int seconds) {
    long nanos = Duration.ofSeconds(seconds).toNanos();
    return Map.of(1L, new RouteClient.Sent(delivery(1, "a"), nanos));
  }

  @Test
  void tellsOfAMessageThatTakesAMinuteAndOfItsEnd() {
    Map<Long, RouteClient.Sent> one = sentAt(10);
    look(10, one);
    look(50, one);
    assertThat(events).isEmpty();
    look(70, one);
    assertThat(events).singleElement().isInstanceOf(RelayEvent.Overdue.class);
    look(90, one);
    assertThat(events).hasSize(1);
    look(110, Map.of());
    assertThat(events).last().isInstanceOf(RelayEvent.OverdueEnded.class);
  }

  @Test
  void tellsHowLongAHandlerTookWhateverCameOfIt() {
    Delivery one = delivery(1, "a");
    Outcome failed = Outcome.suspect("no mail server");
    longOnes.arrived(null);
    longOnes.arrived(new RouteClient.Arrived(one, failed, failed, 9, null));
    assertThat(events).isEmpty();
    longOnes.arrived(new RouteClient.Arrived(one, failed, failed, 9, Duration.ofNanos(7)));
    assertThat(events).containsExactly(new RelayEvent.Handled("mail", Duration.ofNanos(7)));
  }

  @Test
  void nextAttemptOfAMessageHasAMinuteOfItsOwn() {
    look(10, sentAt(10));
    look(40, Map.of());
    look(80, sentAt(80));
    look(120, sentAt(80));
    assertThat(events).isEmpty();
  }
}
