// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.outledger.servers.KillableServer;
import io.outledger.servers.Mosquitto;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Mosquitto: a session forgets what was received, so an observer listens to all topics from the
 * beginning.
 */
final class MqttDemoBroker implements DemoBroker {

  private static final String END = "end-of-";
  private static final long PATIENCE_SECONDS = 30;
  private static final long SESSION_SECONDS = 86_400;

  private final Mosquitto server = Mosquitto.start();
  private final Mqtt5BlockingClient observer = client("observer");
  private final Map<String, List<Mqtt5Publish>> seen = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> ends = new ConcurrentHashMap<>();

  private MqttDemoBroker() {
    // The broker keeps what is published for the sessions that it knows, from then on.
    Mqtt5BlockingClient inventory = client("inventory");
    connect(inventory);
    subscribe(inventory, "orders");
    inventory.disconnect();
    observer.toAsync().publishes(MqttGlobalPublishFilter.ALL, this::saw);
    connect(observer);
    for (String topic : List.of("orders", "stock")) {
      subscribe(observer, topic);
      subscribe(observer, END + topic);
      ends.put(END + topic, new CountDownLatch(1));
    }
  }

  static DemoBroker start() {
    return new MqttDemoBroker();
  }

  @Override
  public String title() {
    return "Mosquitto";
  }

  @Override
  public String details() {
    return "MQTT topics orders and stock; not killed: it acknowledges before it writes";
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("broker", "mqtt", "mqtt.port", Integer.toString(server.port()));
  }

  @Override
  public Optional<KillableServer> killable() {
    return Optional.empty();
  }

  /** Empty: MQTT has no such question. */
  @Override
  public OptionalLong unreceived() {
    return OptionalLong.empty();
  }

  /** What the observer is told after all that came before is a message of its own. */
  @Override
  public List<Arrival> read(String topic) {
    CountDownLatch end = Objects.requireNonNull(ends.get(END + topic), topic);
    observer.publishWith().topic(END + topic).qos(MqttQos.AT_LEAST_ONCE).send();
    try {
      if (!end.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("Mosquitto does not send what it has");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    List<Arrival> arrivals = new ArrayList<>();
    for (Mqtt5Publish message : seen.getOrDefault(topic, List.of())) {
      arrivals.add(arrival(topic, arrivals.size(), message));
    }
    return arrivals;
  }

  @Override
  public List<String> commands() {
    return List.of("mosquitto_sub -p " + server.port() + " -t orders   (what comes from now on)");
  }

  @Override
  public void close() {
    observer.disconnect();
    server.close();
  }

  private void saw(Mqtt5Publish message) {
    String topic = message.getTopic().toString();
    CountDownLatch end = ends.get(topic);
    if (end == null) {
      seen.computeIfAbsent(topic, none -> new CopyOnWriteArrayList<>()).add(message);
    } else {
      end.countDown();
    }
  }

  private static Arrival arrival(String topic, long offset, Mqtt5Publish message) {
    return new Arrival(
        topic,
        offset,
        UUID.fromString(property(message, "id")),
        property(message, "partitionkey"),
        message.getPayloadAsBytes());
  }

  private static String property(Mqtt5Publish message, String name) {
    return message.getUserProperties().asList().stream()
        .filter(property -> property.getName().toString().equals(name))
        .map(property -> property.getValue().toString())
        .findFirst()
        .orElse("");
  }

  private Mqtt5BlockingClient client(String id) {
    return MqttClient.builder()
        .useMqttVersion5()
        .identifier(id)
        .serverHost("127.0.0.1")
        .serverPort(server.port())
        .buildBlocking();
  }

  private static void connect(Mqtt5BlockingClient client) {
    client.connectWith().cleanStart(false).sessionExpiryInterval(SESSION_SECONDS).send();
  }

  private static void subscribe(Mqtt5BlockingClient client, String topic) {
    client.subscribeWith().topicFilter(topic).qos(MqttQos.AT_LEAST_ONCE).send();
  }
}
