// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.messaging;

import com.rabbitmq.client.ConnectionFactory;
import io.outledger.examples.Settings;
import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.rabbitmq.RabbitBroker;
import io.outledger.rabbitmq.RabbitPublisher;
import io.outledger.rabbitmq.RabbitReceiver;
import io.outledger.receive.RunningReceiver;

/**
 * RabbitMQ: a message's topic is the routing key to the exchange of the shop, and each service has
 * a queue of its own for what it wants to receive.
 */
record RabbitMessaging(Settings settings) implements Messaging {

  @Override
  public Publisher publisher(String source) {
    return RabbitPublisher.to(broker()).exchange("shop").source(source);
  }

  @Override
  public RunningReceiver receive(String topic, String consumer, BatchHandler handler) {
    return RabbitReceiver.from(broker(), consumer + "." + topic).start(handler);
  }

  private RabbitBroker broker() {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(Integer.parseInt(settings.text("rabbitmq.port")));
    return RabbitBroker.of(factory);
  }
}
