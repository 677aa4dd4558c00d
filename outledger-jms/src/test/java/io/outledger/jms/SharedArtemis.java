// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.servers.Artemis;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** The broker that the tests of this JVM share. */
final class SharedArtemis {

  private static final Artemis BROKER = Artemis.start("CORE");
  private static final AtomicInteger NAMES = new AtomicInteger();

  private SharedArtemis() {}

  /** Returns the name of a queue or topic that nobody has used. */
  static String newName() {
    return "test.n" + NAMES.incrementAndGet();
  }

  static int port() {
    return BROKER.port();
  }

  static JmsBroker broker() {
    return broker(port());
  }

  static JmsBroker broker(int port) {
    return JmsBroker.of("Artemis", factory(port)).login(Artemis.USER, Artemis.PASSWORD);
  }

  static ActiveMQConnectionFactory factory(int port) {
    return new ActiveMQConnectionFactory(
        "tcp://127.0.0.1:" + port + "?reconnectAttempts=0&callTimeout=20000");
  }

  /** Kills the broker and starts it again on its data. */
  static void crash() {
    BROKER.crash(SharedArtemis::takesMessages);
  }

  private static boolean takesMessages() {
    String address = "tcp://127.0.0.1:" + port() + "?reconnectAttempts=0&callTimeout=2000";
    try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(address);
        Connection connection = factory.createConnection(Artemis.USER, Artemis.PASSWORD);
        Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
      session.createProducer(session.createQueue("test.probe")).send(session.createMessage());
      session.commit();
      return true;
    } catch (JMSException e) {
      return false;
    }
  }
}
