// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.inbox.BatchHandler;
import io.outledger.jms.JmsBroker;
import io.outledger.jms.JmsPublisher;
import io.outledger.jms.JmsReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Artemis;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.Enumeration;
import java.util.List;
import java.util.OptionalLong;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** A queue of Artemis by Jakarta Messaging, with persistent messages in transactions. */
final class MeasuredJms implements MeasuredBroker {

  private static final String QUEUE = "orders";
  private static final int TRANSACTION = 100;
  private static final long PATIENCE_MS = 10_000;

  private final Artemis server = Artemis.startOpen("CORE");

  /** What is done in a session. */
  private interface Act<T> {
    T in(Session session, Queue queue) throws Exception;
  }

  @Override
  public String title() {
    return "Artemis by JMS";
  }

  @Override
  public Publisher publisher() {
    return JmsPublisher.toQueues(broker());
  }

  @Override
  public RunningReceiver receive(BatchHandler handler) {
    return JmsReceiver.fromQueue(broker(), QUEUE).start(handler);
  }

  @Override
  public void sendBare(List<byte[]> payloads) throws Exception {
    act(
        Session.SESSION_TRANSACTED,
        (session, queue) -> {
          MessageProducer producer = session.createProducer(queue);
          int sent = 0;
          for (byte[] payload : payloads) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(payload);
            producer.send(message);
            if (++sent % TRANSACTION == 0) {
              session.commit();
            }
          }
          session.commit();
          return sent;
        });
  }

  @Override
  public void takeBare(int count, Work work) throws Exception {
    act(
        Session.CLIENT_ACKNOWLEDGE,
        (session, queue) -> {
          MessageConsumer consumer = session.createConsumer(queue);
          for (int taken = 0; taken < count; taken++) {
            Message message = consumer.receive(PATIENCE_MS);
            work.on(message.getBody(byte[].class));
            message.acknowledge();
          }
          return count;
        });
  }

  /** Takes what is left. */
  @Override
  public void clear() throws Exception {
    act(
        Session.AUTO_ACKNOWLEDGE,
        (session, queue) -> {
          MessageConsumer consumer = session.createConsumer(queue);
          int taken = 0;
          while (consumer.receiveNoWait() != null) {
            taken++;
          }
          return taken;
        });
  }

  @Override
  public OptionalLong count() throws Exception {
    return OptionalLong.of(
        act(
            Session.AUTO_ACKNOWLEDGE,
            (session, queue) -> {
              long count = 0;
              try (QueueBrowser browser = session.createBrowser(queue)) {
                Enumeration<?> all = browser.getEnumeration();
                while (all.hasMoreElements()) {
                  all.nextElement();
                  count++;
                }
              }
              return count;
            }));
  }

  @Override
  public void close() {
    server.close();
  }

  private ActiveMQConnectionFactory factory() {
    return new ActiveMQConnectionFactory("tcp://127.0.0.1:" + server.port());
  }

  private JmsBroker broker() {
    return JmsBroker.of("Artemis", factory()).login(Artemis.USER, Artemis.PASSWORD);
  }

  private <T> T act(int mode, Act<T> act) throws Exception {
    try (ActiveMQConnectionFactory factory = factory();
        Connection connection = factory.createConnection(Artemis.USER, Artemis.PASSWORD);
        Session session = connection.createSession(mode)) {
      connection.start();
      return act.in(session, session.createQueue(QUEUE));
    }
  }
}
