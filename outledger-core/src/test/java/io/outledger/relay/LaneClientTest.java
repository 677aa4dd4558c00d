// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LaneClientTest {

  private final List<Long> sent = new ArrayList<>();
  private final UnreachableAtFirst publisher = new UnreachableAtFirst();
  private final LaneClient client = new LaneClient(publisher, Duration.ofSeconds(1), new Wakeup());

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
  void clientIsKeptWhileNoFateIsUnknown() {
    List<Outcomes> opened = new ArrayList<>();
    LaneClient lane = new LaneClient(new Noting(opened), Duration.ofSeconds(1), new Wakeup());
    lane.send(delivery(1));
    fail(lane, opened, Outcome.unreachable("nobody there"));
    lane.send(delivery(1));
    assertThat(opened).hasSize(1);
    lane.send(delivery(2));
    opened.get(0).report(1, Outcome.unreachable("nobody there"));
    assertThat(lane.next()).isNotNull();
    lane.closeUnlessIntact(); // since the second may have been sent
    assertThat(lane.takeUnanswered()).hasSize(1);
    lane.send(delivery(1));
    assertThat(opened).hasSize(2);
    fail(lane, opened, Outcome.unavailable("no answer"));
    lane.send(delivery(1));
    assertThat(opened).hasSize(3);
  }

  private static void fail(LaneClient lane, List<Outcomes> opened, Outcome outcome) {
    opened.get(opened.size() - 1).report(1, outcome);
    LaneClient.Arrived arrived = lane.next();
    assertThat(arrived).isNotNull();
    assertThat(arrived.outcome()).isEqualTo(outcome);
    lane.closeUnlessIntact();
    assertThat(lane.takeUnanswered()).isEmpty();
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
    AtomicReference<LaneClient> closing = new AtomicReference<>();
    LaneClient lane =
        new LaneClient(
            new Closing(
                () -> {
                  closes.add("close");
                  LaneClient self = closing.getAndSet(null);
                  if (self != null) {
                    self.abort(); // as another thread would, in the very moment
                  }
                }),
            Duration.ofSeconds(1),
            new Wakeup());
    lane.send(delivery(1));
    closing.set(lane);

    lane.close();

    assertThat(closes).containsExactly("close", "close");
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
        public void publish(long position, Message message) {}

        @Override
        public void flush() {}

        @Override
        public void close() {
          onClose.run();
        }
      };
    }
  }

  private LaneClient.Arrived next() {
    LaneClient.Arrived arrived = client.next();
    assertThat(arrived).isNotNull();
    return arrived;
  }

  private static Delivery delivery(long position) {
    Message message = Message.to("orders", "placed").key("k").build();
    return new Delivery(new LedgerMessage(position, message), message, null, null);
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
        public void publish(long position, Message message) {
          sent.add(position);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
    }
  }
}
