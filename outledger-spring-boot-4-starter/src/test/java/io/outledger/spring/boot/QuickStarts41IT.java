// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.RabbitMq;
import io.outledger.spring.contract.BrokerRoundTrip;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two quick starts on this line of Spring Boot, which brings other versions of the clients. */
class QuickStarts41IT extends BrokerRoundTrip {

  @Test
  void kafka() {
    KafkaBroker broker = KafkaBroker.shared();
    broker.createTopic("of-properties", 1, Map.of());
    travels(
        documented(
            "kafka",
            "spring.kafka.bootstrap-servers=" + broker.bootstrapServers(),
            "outledger.publishers.orders.kafka.topic=of-properties",
            "outledger.receivers.billing.kafka.topics=of-properties"));
  }

  @Test
  void rabbitmq() throws Exception {
    RabbitMq server = RabbitMq.start();
    ConnectionFactory factory = new ConnectionFactory();
    factory.setPort(server.port());
    try (Connection connection = factory.newConnection()) {
      connection.createChannel().queueDeclare("orders", true, false, false, Map.of());
    }
    travels(documented("rabbitmq", "spring.rabbitmq.port=" + server.port()));
  }
}
