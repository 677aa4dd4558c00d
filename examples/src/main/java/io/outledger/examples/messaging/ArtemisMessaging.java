// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.messaging;

import io.outledger.examples.Settings;
import io.outledger.inbox.BatchHandler;
import io.outledger.jms.JmsBroker;
import io.outledger.jms.JmsPublisher;
import io.outledger.jms.JmsReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * Artemis by Jakarta Messaging: a message's topic is a topic, and each service has a durable
 * subscription to what it wants to receive.
 */
record ArtemisMessaging(Settings settings) implements Messaging {

  @Override
  public Publisher publisher(String source) {
    return JmsPublisher.toTopics(broker()).source(source);
  }

  @Override
  public RunningReceiver receive(String topic, String consumer, BatchHandler handler) {
    return JmsReceiver.fromTopic(broker(), topic, consumer + "." + topic).start(handler);
  }

  private JmsBroker broker() {
    return JmsBroker.of("Artemis", new ActiveMQConnectionFactory(settings.text("artemis.url")))
        .login(settings.text("artemis.user"), settings.text("artemis.password"));
  }
}
