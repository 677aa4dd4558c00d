// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.log.KeptLog;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.context.Wakeup;
import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class RouteClientTest {

  private final List<Long> sent = new ArrayList<>();
  private final UnreachableAtFirst publisher = new UnreachableAtFirst();
  private final RouteClient client =
      new RouteClient(publisher, Duration.ofSeconds(1), new Wakeup(), new SetTime(), RouteLog.NONE);

  @Test
  void nothingGetsThroughAfterAMessageThatCouldNotBeHandedOver() {
    client.send(delivery(1));
    client.send(delivery(2));

    assertThat(sent).isEmpty();
    assertThat(next().outcome()).isInstanceOf(Outcome.Unavailable.class);
    assertThat(next().outcome()).isInstanceOf(Outcome.Unavailable.class);
  }

  @Test
  void messagesGetThroughAgainOnceTheClientWasClosed() {
    client.send(delivery(1));
    client.close();
    client.takeUnanswered();

    client.send(delivery(1));

    assertThat(sent).containsExactly(1L);
  }

  @Test
  void publisherThatThrowsForEveryMessageIsALineASecondWithOneTrace() {
    KeptLog kept = new KeptLog(Level.INFO);
    RouteClient route =
        new RouteClient(
            new Throwing(),
            Duration.ofSeconds(1),
            new Wakeup(),
            new SetTime(),
            kept.quiet("relay, route kafka", new SetTime()));
    for (int position = 1; position <= 100; position++) {
      route.send(delivery(position));
      route.close();
      route.takeUnanswered();
    }
    assertThat(kept.lines()).hasSize(1);
    assertThat(kept.lines().get(0))
        .startsWith("ERROR relay, route kafka: the publisher threw an exception at message ")
        .contains("at position 1, which its contract forbids", "planted");
    assertThat(kept.traces()).hasSize(1);
  }

  @Test
  void clientIsKeptWhileNoFateIsUnknown() {
    List<Outcomes> opened = new ArrayList<>();
    RouteClient route =
        new RouteClient(
            new Noting(opened), Duration.ofSeconds(1), new Wakeup(), new SetTime(), RouteLog.NONE);
    route.send(delivery(1));
    fail(route, opened, Outcome.unreachable("nobody there"));
    route.send(delivery(1));
    assertThat(opened).hasSize(1);
    route.send(delivery(2));
    opened.get(0).report(1, Outcome.unreachable("nobody there"));
    assertThat(route.next()).isNotNull();
    route.closeUnlessIntact(); // since the second may have been sent
    assertThat(route.takeUnanswered()).hasSize(1);
    route.send(delivery(1));
    assertThat(opened).hasSize(2);
    fail(route, opened, Outcome.unavailable("no answer"));
    route.send(delivery(1));
    assertThat(opened).hasSize(3);
  }

  private static void fail(RouteClient route, List<Outcomes> opened, Outcome outcome) {
    opened.get(opened.size() - 1).report(1, outcome);
    RouteClient.Arrived arrived = route.next();
    assertThat(arrived).isNotNull();
    assertThat(arrived.outcome()).isEqualTo(outcome);
    route.closeUnlessIntact();
    assertThat(route.takeUnanswered()).isEmpty();
  }

  /** The wait for a thread counts as its way, and not as the handler's work. */
  @Test
  void workIsTimedFromItsBegin() {
    SetTime time = new SetTime();
    List<Outcomes> opened = new ArrayList<>();
    RouteClient route =
        new RouteClient(
            new Noting(opened), Duration.ofSeconds(1), new Wakeup(), time, RouteLog.NONE);
    route.send(delivery(1));
    route.send(delivery(2));
    time.nanos += 5;
    opened.get(0).begins(1);
    time.nanos += 2;
    opened.get(0).report(1, Outcome.PUBLISHED);
    opened.get(0).report(2, Outcome.PUBLISHED);
    assertThat(next(route))
        .returns(7L, RouteClient.Arrived::tookNanos)
        .returns(Duration.ofNanos(2), RouteClient.Arrived::worked);
    assertThat(next(route)).returns(null, RouteClient.Arrived::worked);
  }

  private record Noting(List<Outcomes> opened) implements Publisher {

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      opened.add(outcomes);
      return new Closing(() -> {}).open(deliveryTimeMax, outcomes);
    }
  }

  @Test
  void deadlineFindsAClientThatIsBeingClosed() {
    List<String> closes = new ArrayList<>();
    AtomicReference<RouteClient> closing = new AtomicReference<>();
    RouteClient route =
        new RouteClient(
            new Closing(
                () -> {
                  closes.add("close");
                  RouteClient self = closing.getAndSet(null);
                  if (self != null) {
                    self.abort(); // as another thread would, in the very moment
                  }
                }),
            Duration.ofSeconds(1),
            new Wakeup(),
            new SetTime(),
            RouteLog.NONE);
    route.send(delivery(1));
    closing.set(route);

    route.close();

    assertThat(closes).containsExactly("close", "close");
  }

  @Test
  void passedDeadlineSaysNothingOfTheDestination() {
    List<Outcomes> opened = new ArrayList<>();
    RouteClient route =
        new RouteClient(
            new Noting(opened), Duration.ofSeconds(1), new Wakeup(), new SetTime(), RouteLog.NONE);
    route.send(delivery(1));
    route.send(delivery(2));
    route.abort();
    opened.get(0).report(1, Outcome.unavailable("closed"));
    opened.get(0).report(2, Outcome.PUBLISHED);
    route.send(delivery(3));
    assertThat(next(route).outcome()).isEqualTo(Outcome.PUBLISHED);
    assertThat(route.next()).isNull();
    assertThat(route.inFlight()).containsOnlyKeys(1L, 3L);
  }

  private static final class Throwing implements Publisher {

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      return new PublisherClient() {
        @Override
        public void publish(long position, int attempt, Message message) {
          throw new IllegalStateException("planted");
        }

        @Override
        public void flush() {}

        @Override
        public Set<Long> recall() {
          return Set.of();
        }

        @Override
        public void close() {}
      };
    }
  }

  private record Closing(Runnable onClose) implements Publisher {

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      return new PublisherClient() {
        @Override
        public void publish(long position, int attempt, Message message) {}

        @Override
        public void flush() {}

        @Override
        public Set<Long> recall() {
          return Set.of();
        }

        @Override
        public void close() {
          onClose.run();
        }
      };
    }
  }

  private RouteClient.Arrived next() {
    return next(client);
  }

  private static RouteClient.Arrived next(RouteClient route) {
    RouteClient.Arrived arrived = route.next();
    assertThat(arrived).isNotNull();
    return arrived;
  }

  private static Delivery delivery(long position) {
    Message message = Message.to("orders", "placed").key("k").build();
    return new Delivery(new LedgerMessage(position, message), message, null, null, null);
  }

  private final class UnreachableAtFirst implements Publisher {

    private int opens;

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      opens++;
      if (opens == 1) {
        throw new DestinationUnavailableException("not there yet", null);
      }
      return new PublisherClient() {
        @Override
        public void publish(long position, int attempt, Message message) {
          sent.add(position);
        }

        @Override
        public void flush() {}

        @Override
        public Set<Long> recall() {
          return Set.of();
        }

        @Override
        public void close() {}
      };
    }
  }
}
