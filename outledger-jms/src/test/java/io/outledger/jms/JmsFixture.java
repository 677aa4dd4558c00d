// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

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
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A queue of its own, behind a line that can be taken away. */
final class JmsFixture implements PublisherFixture, ReceiverFixture {

  private static final int BYTES_MAX = 1 << 24;

  private final String queue = SharedArtemis.newName();
  private final TcpProxy line = TcpProxy.before(SharedArtemis.port());
  private final JmsBroker broker = SharedArtemis.broker(line.port());
  private final JmsPublisher publisher = JmsPublisher.toQueues(broker).source("/shop");
  private final List<Received> arrivals = new CopyOnWriteArrayList<>();
  private @Nullable Connection direct;
  private @Nullable JmsFuzz fuzz;

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return queue;
  }

  @Override
  public boolean receivesWhileItWaits() {
    return false;
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<String> awaited = ids.stream().map(UUID::toString).toList();
    try {
      consume();
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
    Await.until(
        "messages arrive",
        Duration.ofSeconds(30),
        () -> arrivals.stream().map(Received::id).toList().containsAll(awaited));
    return List.copyOf(arrivals);
  }

  private void consume() throws JMSException {
    if (direct == null) {
      Connection connection = SharedArtemis.broker().connect();
      direct = connection;
      Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
      consumer.setMessageListener(this::arrived);
      connection.start();
    }
  }

  private void arrived(jakarta.jms.Message message) {
    try {
      arrivals.add(JmsBinding.read("it", new JmsBinding.Origin(queue, queue), message, BYTES_MAX));
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public RunningReceiver start(ReceiverSetup setup) {
    JmsReceiver receiver =
        JmsReceiver.fromQueue(broker, queue).options(setup.options()).listener(setup.listener());
    Consumer<String> unreadable = setup.unreadable();
    if (unreadable != null) {
      receiver = receiver.unreadable((place, payload, reason) -> unreadable.accept(reason));
    }
    return receiver.start(setup.handler());
  }

  @Override
  public void sendForeign(byte[] payload) {
    try (Connection connection = SharedArtemis.broker().connect();
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
      BytesMessage message = session.createBytesMessage();
      message.writeBytes(payload);
      session.createProducer(session.createQueue(queue)).send(message);
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Map<String, Runnable> strangers() {
    return JmsStrangers.to(queue);
  }

  @Override
  public boolean sendFuzz(Fuzz given) {
    if (fuzz == null) {
      fuzz = new JmsFuzz(queue);
    }
    return fuzz.send(given);
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
  public void close() throws JMSException {
    if (fuzz != null) {
      fuzz.close();
    }
    if (direct != null) {
      direct.close();
    }
    line.close();
  }
}
