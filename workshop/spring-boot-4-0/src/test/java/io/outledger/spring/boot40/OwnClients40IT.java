// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.ClientVersion;
import io.outledger.servers.RabbitMq;
import io.outledger.spring.contract.OwnClientsContract;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** With those of Spring Boot 4.0. */
class OwnClients40IT extends OwnClientsContract {

  OwnClients40IT() {
    super("4.1.");
  }

  @Test
  void rabbitmq() throws Exception {
    assertThat(ClientVersion.VERSION).startsWith("5.27.");
    try (RabbitMq server = RabbitMq.start()) {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setPort(server.port());
      try (Connection connection = factory.newConnection()) {
        connection.createChannel().queueDeclare("orders", true, false, false, Map.of());
      }
      receivesPausesAndEnds(
          "spring.rabbitmq.port=" + server.port(),
          "outledger.publishers.orders.rabbitmq.enabled=true",
          "outledger.receivers.billing.rabbitmq.queue=orders");
    }
  }
}
