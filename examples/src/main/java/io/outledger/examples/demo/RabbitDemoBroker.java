// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.outledger.servers.KillableServer;
import io.outledger.servers.RabbitMq;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/** RabbitMQ: a queue forgets what was received, so a second one keeps a copy of each topic. */
record RabbitDemoBroker(RabbitMq server) implements DemoBroker {

  private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");

  /** What is asked of the server. */
  private interface Question<T> {
    T ask(Channel channel) throws IOException;
  }

  static DemoBroker start() {
    RabbitDemoBroker broker = new RabbitDemoBroker(RabbitMq.start());
    broker.ask(
        channel -> {
          channel.exchangeDeclare("shop", "direct", true);
          bind(channel, "inventory.orders", "orders");
          bind(channel, "copy.orders", "orders");
          return bind(channel, "copy.stock", "stock");
        });
    return broker;
  }

  @Override
  public String title() {
    return "RabbitMQ";
  }

  @Override
  public String details() {
    return "exchange shop, quorum queues";
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("broker", "rabbitmq", "rabbitmq.port", Integer.toString(server.port()));
  }

  @Override
  public Optional<KillableServer> killable() {
    return Optional.of(server);
  }

  /** Empty: the broker counts what waits in a queue, and not what was delivered from it. */
  @Override
  public OptionalLong unreceived() {
    return OptionalLong.empty();
  }

  @Override
  public List<Arrival> read(String topic) {
    return ask(
        channel -> {
          List<Arrival> arrivals = new ArrayList<>();
          GetResponse next = channel.basicGet("copy." + topic, true);
          while (next != null) {
            arrivals.add(arrival(topic, arrivals.size(), next));
            next = channel.basicGet("copy." + topic, true);
          }
          return arrivals;
        });
  }

  @Override
  public List<String> commands() {
    return List.of("(counting has emptied the queues copy.orders and copy.stock)");
  }

  @Override
  public void close() {
    server.close();
  }

  private static String bind(Channel channel, String queue, String routingKey) throws IOException {
    channel.queueDeclare(queue, true, false, false, QUORUM);
    channel.queueBind(queue, "shop", routingKey);
    return queue;
  }

  private static Arrival arrival(String topic, long offset, GetResponse message) {
    return new Arrival(
        topic,
        offset,
        UUID.fromString(message.getProps().getMessageId()),
        String.valueOf(message.getProps().getHeaders().get("cloudEvents_partitionkey")),
        message.getBody());
  }

  private <T> T ask(Question<T> question) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(server.port());
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      return question.ask(channel);
    } catch (IOException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }
}
