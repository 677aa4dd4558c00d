// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.servers.Artemis;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/** What strangers may send by Artemis' own protocol: types with a body of another. */
final class JmsStrangers {

  private static final byte[] BODY = {1, 0, 0, 99, 'x'};

  private JmsStrangers() {}

  static Map<String, Runnable> to(String queue) {
    Map<String, Runnable> strangers = new LinkedHashMap<>();
    strangers.put("bytes", () -> send(queue, Message.BYTES_TYPE, -1));
    strangers.put("text without text", () -> send(queue, Message.TEXT_TYPE, -1));
    strangers.put("map without a map", () -> send(queue, Message.MAP_TYPE, -1));
    strangers.put("object that is huge", () -> send(queue, Message.OBJECT_TYPE, Integer.MAX_VALUE));
    return strangers;
  }

  private static void send(String queue, byte type, int length) {
    try (ServerLocator locator =
            ActiveMQClient.createServerLocator("tcp://127.0.0.1:" + SharedArtemis.port());
        ClientSessionFactory sessions = locator.createSessionFactory();
        ClientSession session =
            sessions.createSession(Artemis.USER, Artemis.PASSWORD, false, true, true, false, 1)) {
      if (!session.queueQuery(SimpleString.of(queue)).isExists()) {
        session.createQueue(QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
      }
      ClientMessage message = session.createMessage(type, true);
      ActiveMQBuffer body = message.getBodyBuffer();
      if (length >= 0) {
        body.writeInt(length);
      }
      body.writeBytes(BODY);
      session.createProducer(queue).send(message);
    } catch (Exception e) {
      throw new AssertionError("cannot send", e);
    }
  }
}
