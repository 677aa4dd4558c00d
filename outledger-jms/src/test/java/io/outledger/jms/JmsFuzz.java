// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.contracts.Fuzz;
import io.outledger.servers.Artemis;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/** Sends messages of any type, body and properties by Artemis' own protocol. */
final class JmsFuzz implements AutoCloseable {

  private static final int TYPES = 9;

  private final ServerLocator locator;
  private final ClientSessionFactory sessions;
  private final ClientSession session;
  private final ClientProducer producer;

  JmsFuzz(String queue) {
    try {
      locator = ActiveMQClient.createServerLocator("tcp://127.0.0.1:" + SharedArtemis.port());
      sessions = locator.createSessionFactory();
      session = sessions.createSession(Artemis.USER, Artemis.PASSWORD, false, true, true, false, 1);
      if (!session.queueQuery(SimpleString.of(queue)).isExists()) {
        session.createQueue(QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
      }
      producer = session.createProducer(queue);
    } catch (Exception e) {
      throw new AssertionError("cannot connect", e);
    }
  }

  boolean send(Fuzz fuzz) {
    // Artemis makes ten deliveries of what has a body of another type, a session each, and its
    // client writes a stack trace of each.
    int type = fuzz.isOneIn(20) ? fuzz.below(TYPES) : Message.BYTES_TYPE;
    ClientMessage message = session.createMessage((byte) type, true);
    fuzz.headers(JmsBinding.PREFIX, () -> fuzz.textWithout("_AMQ_"))
        .forEach((name, value) -> put(fuzz, message, name, value));
    if (fuzz.isOneIn(3)) {
      message.getBodyBuffer().writeInt(fuzz.number());
    }
    message.getBodyBuffer().writeBytes(fuzz.bytes(fuzz.isOneIn(50) ? 300_000 : 100));
    try {
      producer.send(message);
      return true;
    } catch (ActiveMQException e) {
      return false;
    }
  }

  private static void put(Fuzz fuzz, ClientMessage message, String name, String value) {
    switch (fuzz.below(20)) {
      case 0 -> message.putIntProperty(name, fuzz.number());
      case 1 -> message.putBytesProperty(name, fuzz.bytes(50));
      case 2 -> message.putDoubleProperty(name, fuzz.number());
      case 3 -> message.putBooleanProperty(name, fuzz.isOneIn(2));
      default -> message.putStringProperty(name, value);
    }
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (ActiveMQException e) {
      throw new AssertionError("cannot close", e);
    } finally {
      sessions.close();
      locator.close();
    }
  }
}
