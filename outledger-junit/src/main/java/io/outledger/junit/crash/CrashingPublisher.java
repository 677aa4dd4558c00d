// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import io.outledger.Message;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A publisher of a process that can crash: nothing arrives any more when it has. */
record CrashingPublisher(Publisher publisher, CrashSteps steps, Consumer<Message> arrived)
    implements Publisher {

  private static final String CRASHED = "this process has crashed, as its test asked";

  @Override
  public KeyOrder keyOrder() {
    return publisher.keyOrder();
  }

  @Override
  public boolean allowsSeveral() {
    return publisher.allowsSeveral();
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    if (steps.hasCrashed()) {
      throw new DestinationUnavailableException(CRASHED, null);
    }
    Map<Long, Message> underWay = new ConcurrentHashMap<>();
    Acknowledgements reports = new Acknowledgements(this, underWay, outcomes);
    return new Client(this, underWay, outcomes, publisher.open(deliveryTimeMax, reports));
  }

  private static String name(Message message) {
    return Outside.name(message.type(), message.version(), message.topic(), message.key());
  }

  private record Client(
      CrashingPublisher owner,
      Map<Long, Message> underWay,
      Outcomes outcomes,
      PublisherClient client)
      implements PublisherClient {

    @Override
    public void publish(long position, int attempt, Message message) {
      if (owner.steps.take("before publishing " + name(message))) {
        outcomes.report(position, Outcome.unavailable(CRASHED));
        return;
      }
      underWay.put(position, message);
      client.publish(position, attempt, message);
    }

    @Override
    public void flush() {
      client.flush();
    }

    @Override
    public Set<Long> recall() {
      Set<Long> back = client.recall();
      underWay.keySet().removeAll(back);
      return back;
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** The relay is told of an outcome even when the process has crashed: it waits for each. */
  private record Acknowledgements(
      CrashingPublisher owner, Map<Long, Message> underWay, Outcomes outcomes) implements Outcomes {

    @Override
    public void report(long position, Outcome outcome) {
      Message message = underWay.remove(position);
      boolean crashes = false;
      if (message != null && outcome instanceof Outcome.Published) {
        owner.arrived.accept(message);
        crashes = owner.steps.take("before the acknowledgement of " + name(message));
      }
      outcomes.report(position, crashes ? Outcome.unavailable(CRASHED) : outcome);
    }
  }
}
