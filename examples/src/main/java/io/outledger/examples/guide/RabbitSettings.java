// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import com.rabbitmq.client.ConnectionFactory;
import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.rabbitmq.RabbitBroker;
import io.outledger.rabbitmq.RabbitPublisher;
import io.outledger.rabbitmq.RabbitReceiver;
import io.outledger.receive.RunningReceiver;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;

/** The two ends of RabbitMQ. */
final class RabbitSettings {

  private RabbitSettings() {}

  static RabbitBroker broker(String password, SSLContext tls)
      throws URISyntaxException, GeneralSecurityException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri("amqps://shop:" + password + "@rabbit-1/orders");
    factory.useSslProtocol(tls); // an SSLContext of your own authority; without one, the JVM's
    RabbitBroker broker = RabbitBroker.of(factory).nodes("rabbit-1:5671", "rabbit-2:5671");
    return broker;
  }

  static Publisher publisher(RabbitBroker broker) {
    Publisher rabbit = RabbitPublisher.to(broker).exchange("shop").source("/shop/orders");
    return rabbit;
  }

  static RunningReceiver receive(RabbitBroker broker, BatchHandler handler) {
    RunningReceiver receiver = RabbitReceiver.from(broker, "inventory.orders").start(handler);
    return receiver;
  }
}
