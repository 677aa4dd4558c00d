// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.Message;
import io.outledger.contracts.Fuzz;
import io.outledger.contracts.PublisherFixture;
import io.outledger.contracts.ReceiverFixture;
import io.outledger.contracts.ReceiverSetup;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Artemis;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.TcpProxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;

/** A queue of its own, behind a line that can be taken away. */
final class AmqpFixture implements PublisherFixture, ReceiverFixture {

  private static final int GROUPS = 256;

  private final String queue = SharedArtemis.newName();
  private final TcpProxy line = TcpProxy.before(SharedArtemis.port());
  private final AmqpBroker broker = SharedArtemis.broker(line.port());
  private final AmqpPublisher publisher =
      AmqpPublisher.to(broker).source("/shop").capability("queue").groupByKey(GROUPS);
  private final AmqpStrangers strangers = new AmqpStrangers(queue);
  private final List<Received> arrivals = new CopyOnWriteArrayList<>();
  private @Nullable RunningReceiver direct;

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return queue;
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<String> awaited = ids.stream().map(UUID::toString).toList();
    if (direct == null) {
      direct = receiver(SharedArtemis.broker()).start(arrivals::addAll);
    }
    Await.until(
        "messages arrive",
        Duration.ofSeconds(30),
        () -> arrivals.stream().map(Received::id).toList().containsAll(awaited));
    return List.copyOf(arrivals);
  }

  private AmqpReceiver receiver(AmqpBroker from) {
    return AmqpReceiver.from(from, queue).capability("queue");
  }

  @Override
  public RunningReceiver start(ReceiverSetup setup) {
    AmqpReceiver receiver = receiver(broker).options(setup.options()).listener(setup.listener());
    Consumer<String> unreadable = setup.unreadable();
    if (unreadable != null) {
      receiver = receiver.unreadable((place, payload, reason) -> unreadable.accept(reason));
    }
    return receiver.start(setup.handler());
  }

  @Override
  public void sendForeign(byte[] payload) {
    try (PlainClient client = new PlainClient()) {
      client.send(queue, org.apache.qpid.protonj2.client.Message.create(payload));
    } catch (ClientException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Map<String, Runnable> strangers() {
    return strangers.named();
  }

  @Override
  public boolean sendFuzz(Fuzz given) {
    return strangers.send(given);
  }

  @Override
  public void takeAway() {
    line.refuse();
  }

  @Override
  public void loseAnswers() {
    line.swallowReplies();
  }

  @Override
  public void cutAt(String text) {
    line.cutAt(text);
  }

  @Override
  public void bringBack() {
    line.pass();
  }

  @Override
  public void crash() {
    SharedArtemis.crash();
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public Message unacceptable(String key) {
    return Message.to(Artemis.DENIED, "order.placed").key(key).build();
  }

  @Override
  public void close() {
    if (direct != null) {
      direct.close();
    }
    strangers.close();
    line.close();
  }
}
