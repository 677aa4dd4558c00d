// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.context.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a route's client knows of the messages that are on their way. */
class InFlightTest {

  private final List<Outcomes> opened = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();
  private final Wakeup wakeup = new Wakeup();
  private final RouteClient client =
      new RouteClient(new Noting(), Duration.ofSeconds(1), wakeup, new SetTime(), RouteLog.NONE);
  private final Delivery first = delivery(1, "a");
  private final Delivery keyless = delivery(4, null);

  private void sendAll() {
    client.send(first);
    client.send(delivery(2, "b"));
    client.send(delivery(3, "a"));
    client.send(keyless);
    client.send(delivery(5, null));
  }

  @Test
  void followersAreTheLaterMessagesOfTheKey() {
    sendAll();
    assertThat(client.keysInFlight()).containsExactlyInAnyOrder("a", "b");
    assertThat(client.followersOf(first)).containsExactly(delivery(3, "a").place());
    assertThat(client.followersOf(delivery(3, "a"))).isEmpty();
    assertThat(client.followersOf(delivery(2, "a"))).containsExactly(delivery(3, "a").place());
    assertThat(client.followersOf(keyless)).isEmpty();
  }

  @Test
  void messageIsUnderwayAndNotAnotherOneOfItsPosition() {
    client.send(first);
    assertThat(client.isUnderway(first)).isTrue();
    assertThat(client.isUnderway(delivery(1, 101, "a"))).isFalse();
    assertThat(client.isUnderway(delivery(2, "a"))).isFalse();
    assertThat(client.isBusyAt(1)).isTrue();
  }

  @Test
  void whatHasNoOutcomeIsTakenAndItsLateOutcomeIsNobodys() {
    sendAll();
    opened.get(0).report(2, Outcome.PUBLISHED);
    RouteClient.Arrived arrived = client.next();
    assertThat(arrived).isNotNull();
    assertThat(arrived.delivery().position()).isEqualTo(2);
    client.close();
    assertThat(client.takeUnanswered())
        .extracting(Delivery::position)
        .containsExactlyInAnyOrder(1L, 3L, 4L, 5L);
    assertThat(client.inFlightCount()).isZero();
    assertThat(client.takeUnanswered()).isEmpty();
    client.send(first);
    opened.get(0).report(1, Outcome.PUBLISHED);
    assertThat(client.next()).isNull();
    opened.get(1).report(1, Outcome.PUBLISHED);
    assertThat(client.next()).isNotNull();
  }

  @Test
  void outcomeWakesTheRelay() throws InterruptedException {
    client.send(first);
    assertThat(wakeup.await(Duration.ZERO)).isFalse();
    opened.get(0).report(1, Outcome.PUBLISHED);
    assertThat(wakeup.await(Duration.ZERO)).isTrue();
  }

  @Test
  void onlyWhatIsInFlightIsFlushed() {
    client.flush();
    client.send(first);
    client.flush();
    opened.get(0).report(1, Outcome.PUBLISHED);
    client.next();
    client.flush();
    assertThat(calls).containsExactly("publish 1", "flush");
  }

  @Test
  void nothingIsHandedToAClientAfterTheDeadlineAndNoOutageBeginsByIt() {
    client.abort();
    client.send(first);
    assertThat(client.next()).isNull();
    assertThat(client.inFlightCount()).isEqualTo(1);
    assertThat(calls).containsExactly("close");
  }

  @Test
  void clientThatFailsAsItMustNotIsUnavailable() {
    client.send(delivery(13, "a"));
    client.send(first);
    for (int i = 0; i < 2; i++) {
      RouteClient.Arrived arrived = client.next();
      assertThat(arrived).isNotNull();
      assertThat(arrived.outcome()).isInstanceOf(Outcome.Unavailable.class);
    }
    assertThat(calls).isEmpty();
  }

  private final class Noting implements Publisher {

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      opened.add(outcomes);
      return new PublisherClient() {
        @Override
        public void publish(long position, int attempt, Message message) {
          if (position == 13) {
            throw new IllegalStateException("planted");
          }
          calls.add("publish " + position);
        }

        @Override
        public void flush() {
          calls.add("flush");
        }

        @Override
        public Set<Long> recall() {
          return Set.of();
        }

        @Override
        public void close() {
          calls.add("close");
        }
      };
    }
  }
}
