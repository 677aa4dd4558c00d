// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.nats.client.Nats;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.outledger.servers.Artemis;
import io.outledger.servers.ElasticMq;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Mosquitto;
import io.outledger.servers.NatsServer;
import io.outledger.servers.PulsarServer;
import io.outledger.servers.RabbitMq;
import io.outledger.servers.RedisServer;
import io.outledger.spring.contract.BrokerRoundTrip;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each broker's quick start, as its page has it, against a real server. */
class QuickStartsIT extends BrokerRoundTrip {

  @Test
  void kafka() {
    KafkaBroker broker = KafkaBroker.shared();
    broker.createTopic("orders", 1, Map.of());
    travels(documented("kafka", "spring.kafka.bootstrap-servers=" + broker.bootstrapServers()));
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

  @Test
  @SuppressWarnings("try") // of a connection whose close may be interrupted
  void nats() throws Exception {
    try (NatsServer server = NatsServer.start();
        io.nats.client.Connection connection = Nats.connect("nats://127.0.0.1:" + server.port())) {
      connection
          .jetStreamManagement()
          .addStream(
              StreamConfiguration.builder()
                  .name("SHOP")
                  .subjects("shop.>")
                  .storageType(StorageType.File)
                  .build());
      String url = "nats://127.0.0.1:" + server.port();
      travels(
          documented(
              "nats",
              "outledger.publishers.orders.nats.url=" + url,
              "outledger.receivers.billing.nats.url=" + url));
    }
  }

  @Test
  void jms() {
    try (Artemis server = Artemis.startOpen("CORE")) {
      travels(
          documented(
              "jms",
              "spring.artemis.broker-url=tcp://127.0.0.1:" + server.port(),
              "spring.artemis.user=" + Artemis.USER,
              "spring.artemis.password=" + Artemis.PASSWORD));
    }
  }

  @Test
  void amqp() {
    try (Artemis server = Artemis.startOpen("AMQP")) {
      String url = "amqp://127.0.0.1:" + server.port();
      travels(
          documented(
              "amqp",
              "outledger.publishers.orders.amqp.url=" + url,
              "outledger.receivers.billing.amqp.url=" + url,
              "broker.user=" + Artemis.USER,
              "broker.password=" + Artemis.PASSWORD));
    }
  }

  @Test
  void sqs() {
    System.setProperty("aws.accessKeyId", "somebody");
    System.setProperty("aws.secretAccessKey", "secret");
    try (ElasticMq server = ElasticMq.start(new ElasticMq.Queue("orders.fifo", null))) {
      travels(
          documented(
              "sqs",
              "outledger.publishers.orders.sqs.endpoint=" + server.endpoint(),
              "outledger.receivers.billing.sqs.endpoint=" + server.endpoint()));
    }
  }

  @Test
  void redis() {
    try (RedisServer server = RedisServer.start()) {
      travels(documented("redis", "spring.data.redis.port=" + server.port()));
    }
  }

  @Test
  void mqtt() {
    try (Mosquitto server = Mosquitto.start()) {
      String url = "mqtt://127.0.0.1:" + server.port();
      travels(
          documented(
              "mqtt",
              "outledger.publishers.orders.mqtt.url=" + url,
              "outledger.receivers.billing.mqtt.url=" + url));
    }
  }

  @Test
  @Tag("long") // its server takes longer than all others
  void pulsar() {
    try (PulsarServer server = PulsarServer.start()) {
      String login = "spring.pulsar.client.authentication.";
      travels(
          documented(
              "pulsar",
              "spring.pulsar.client.service-url=" + server.url(),
              login + "plugin-class-name=org.apache.pulsar.client.impl.auth.AuthenticationToken",
              login + "param.token=" + PulsarServer.token(PulsarServer.ADMIN)));
    }
  }
}
