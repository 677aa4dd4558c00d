// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.context.LincheckThreads;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.context.Wakeup;
import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.Set;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The deadline passes, on its own thread, while the relay's thread sends and closes. */
@Tag("long")
final class RouteClientLincheckTest {

  private static final int ORDERS_OF_STEPS = 100;
  private static final Message MESSAGE = Message.to("orders", "placed").key("k").build();

  @Test
  void nothingIsSentOnceTheDeadlineHasEndedTheClient() {
    Lincheck.runConcurrentTest(ORDERS_OF_STEPS, RouteClientLincheckTest::sendAndAbort);
  }

  @Test
  void clientThatIsBeingClosedIsClosedWhenTheDeadlineHasEndedIt() {
    Lincheck.runConcurrentTest(ORDERS_OF_STEPS, RouteClientLincheckTest::closeAndAbort);
  }

  private static void sendAndAbort() {
    Broker broker = new Broker();
    RouteClient client =
        new RouteClient(broker, Duration.ofSeconds(1), new Wakeup(), new SetTime(), RouteLog.NONE);
    abortWhile(() -> send(client), client, broker);
    client.close();
    mustHaveOneFate(client);
  }

  private static void closeAndAbort() {
    Broker broker = new Broker();
    RouteClient client =
        new RouteClient(broker, Duration.ofSeconds(1), new Wakeup(), new SetTime(), RouteLog.NONE);
    send(client);
    abortWhile(client::close, client, broker);
    mustHaveOneFate(client);
  }

  private static void abortWhile(Runnable work, RouteClient client, Broker broker) {
    Thread relay = new Thread(work);
    relay.start();
    client.abort();
    if (broker.isSending) {
      throw new AssertionError("the message is still being sent after the deadline");
    }
    LincheckThreads.join(relay);
    if (broker.isSending) {
      throw new AssertionError("the message was sent after the deadline");
    }
  }

  private static void send(RouteClient client) {
    client.send(new Delivery(new LedgerMessage(1, MESSAGE), MESSAGE, null, null, null));
  }

  private static void mustHaveOneFate(RouteClient client) {
    int answered = client.next() == null ? 0 : 1;
    if (answered + client.takeUnanswered().size() != 1 || client.inFlightCount() != 0) {
      throw new AssertionError("the message has not one fate");
    }
  }

  /** Sends by itself the one message that its client is given, until that is closed. */
  private static final class Broker implements Publisher {

    private volatile boolean isSending;

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      return new Sending(this, outcomes);
    }
  }

  private static final class Sending implements PublisherClient {

    private final Broker broker;
    private final Outcomes outcomes;
    private boolean isClosed;

    Sending(Broker broker, Outcomes outcomes) {
      this.broker = broker;
      this.outcomes = outcomes;
    }

    @Override
    public synchronized void publish(long position, int attempt, Message message) {
      broker.isSending = !isClosed;
      if (isClosed) {
        outcomes.report(position, Outcome.unavailable("closed"));
      }
    }

    @Override
    public void flush() {
      // Each message is sent as it comes.
    }

    @Override
    public Set<Long> recall() {
      return Set.of();
    }

    @Override
    public synchronized void close() {
      isClosed = true;
      broker.isSending = false;
    }
  }
}
