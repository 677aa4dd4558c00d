// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient.Mqtt5Publishes;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import io.outledger.inbox.BatchHandler;
import io.outledger.mqtt.MqttBroker;
import io.outledger.mqtt.MqttPublisher;
import io.outledger.mqtt.MqttReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Mosquitto;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A topic of Mosquitto with QoS 1, which keeps what comes there in a session. */
final class MeasuredMqtt implements MeasuredBroker {

  private static final String TOPIC = "orders";
  private static final String SESSION = "taker";
  private static final int WINDOW = 500;
  private static final long SESSION_SECONDS = 86_400;

  // As it is delivered. To save all that waits after each message takes longer with each of them.
  private final Mosquitto server =
      Mosquitto.start(
          """
          allow_anonymous true
          autosave_on_changes false
          autosave_interval 1800\
          """);

  @Override
  public String title() {
    return "Mosquitto by MQTT 5";
  }

  @Override
  public Publisher publisher() {
    return MqttPublisher.to(broker("publisher"));
  }

  @Override
  public RunningReceiver receive(BatchHandler handler) {
    return MqttReceiver.of(broker(SESSION), TOPIC).start(handler);
  }

  @Override
  public void sendBare(List<byte[]> payloads) throws Exception {
    Mqtt5BlockingClient client = client("sender");
    client.connect();
    Deque<CompletableFuture<Mqtt5PublishResult>> onTheirWay = new ArrayDeque<>();
    for (byte[] payload : payloads) {
      if (onTheirWay.size() == WINDOW) {
        check(onTheirWay.remove().get());
      }
      Mqtt5Publish message =
          Mqtt5Publish.builder().topic(TOPIC).qos(MqttQos.AT_LEAST_ONCE).payload(payload).build();
      onTheirWay.add(client.toAsync().publish(message));
    }
    for (CompletableFuture<Mqtt5PublishResult> each : onTheirWay) {
      check(each.get());
    }
    client.disconnect();
  }

  private static void check(Mqtt5PublishResult result) {
    result
        .getError()
        .ifPresent(
            error -> {
              throw new IllegalStateException(error);
            });
  }

  @Override
  public void takeBare(int count, Work work) throws Exception {
    Mqtt5BlockingClient client = client(SESSION);
    try (Mqtt5Publishes messages = client.publishes(MqttGlobalPublishFilter.ALL, true)) {
      connect(client, false);
      for (int taken = 0; taken < count; taken++) {
        Mqtt5Publish message = messages.receive();
        work.on(message.getPayloadAsBytes());
        message.acknowledge();
      }
    }
    client.disconnect();
  }

  /** Begins a new session, for which the broker keeps what comes from then on. */
  @Override
  public void clear() {
    Mqtt5BlockingClient client = client(SESSION);
    connect(client, true);
    client.subscribeWith().topicFilter(TOPIC).qos(MqttQos.AT_LEAST_ONCE).send();
    client.disconnect();
  }

  /** Empty: MQTT has no such question. */
  @Override
  public OptionalLong count() {
    return OptionalLong.empty();
  }

  @Override
  public void close() {
    server.close();
  }

  private MqttBroker broker(String clientId) {
    return MqttBroker.at("127.0.0.1", server.port(), clientId);
  }

  private Mqtt5BlockingClient client(String id) {
    return MqttClient.builder()
        .useMqttVersion5()
        .identifier(id)
        .serverHost("127.0.0.1")
        .serverPort(server.port())
        .buildBlocking();
  }

  private static void connect(Mqtt5BlockingClient client, boolean isNew) {
    client.connectWith().cleanStart(isNew).sessionExpiryInterval(SESSION_SECONDS).send();
  }
}
