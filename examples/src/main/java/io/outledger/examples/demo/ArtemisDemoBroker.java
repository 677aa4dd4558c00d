// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.Artemis;
import io.outledger.servers.KillableServer;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * Artemis: a subscription forgets what was received, so a second one keeps a copy of each topic.
 */
record ArtemisDemoBroker(Artemis server) implements DemoBroker {

  /** What is asked of the server. */
  private interface Question<T> {
    T ask(Session session) throws JMSException;
  }

  static DemoBroker start() {
    ArtemisDemoBroker broker = new ArtemisDemoBroker(Artemis.startOpen("CORE"));
    broker.ask(
        session -> {
          subscribe(session, "orders", "inventory.orders").close();
          subscribe(session, "orders", "copy.orders").close();
          subscribe(session, "stock", "copy.stock").close();
          return broker;
        });
    return broker;
  }

  @Override
  public String title() {
    return "Artemis";
  }

  @Override
  public String details() {
    return "topics orders and stock, durable subscriptions";
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(
        "broker",
        "artemis",
        "artemis.url",
        url(),
        "artemis.user",
        Artemis.USER,
        "artemis.password",
        Artemis.PASSWORD);
  }

  @Override
  public Optional<KillableServer> killable() {
    return Optional.of(server);
  }

  /** Empty: the broker counts what is in a subscription, and tells it by its own management. */
  @Override
  public OptionalLong unreceived() {
    return OptionalLong.empty();
  }

  @Override
  public List<Arrival> read(String topic) {
    return ask(
        session -> {
          List<Arrival> arrivals = new ArrayList<>();
          MessageConsumer copy = subscribe(session, topic, "copy." + topic);
          Message next = copy.receiveNoWait();
          while (next != null) {
            arrivals.add(arrival(topic, arrivals.size(), next));
            next = copy.receiveNoWait();
          }
          return arrivals;
        });
  }

  @Override
  public List<String> commands() {
    return List.of("(counting has emptied the subscriptions copy.orders and copy.stock)");
  }

  @Override
  public void close() {
    server.close();
  }

  private static MessageConsumer subscribe(Session session, String topic, String name)
      throws JMSException {
    return session.createSharedDurableConsumer(session.createTopic(topic), name);
  }

  private static Arrival arrival(String topic, long offset, Message message) throws JMSException {
    return new Arrival(
        topic,
        offset,
        UUID.fromString(message.getStringProperty("cloudEvents_id")),
        message.getStringProperty("cloudEvents_partitionkey"),
        message.getBody(byte[].class));
  }

  private String url() {
    return "tcp://127.0.0.1:" + server.port();
  }

  private <T> T ask(Question<T> question) {
    try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url());
        Connection connection = factory.createConnection(Artemis.USER, Artemis.PASSWORD);
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
      connection.start();
      return question.ask(session);
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }
}
