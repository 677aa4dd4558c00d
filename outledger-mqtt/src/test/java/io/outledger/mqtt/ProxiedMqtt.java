// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import io.outledger.inbox.Received;
import io.outledger.servers.Await;
import io.outledger.servers.Mosquitto;
import io.outledger.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A broker that clients reach through a faulty line, and an observer through a good one. */
final class ProxiedMqtt implements AutoCloseable {

  final Mosquitto server;
  final TcpProxy line;
  private final List<Received> arrivals = new CopyOnWriteArrayList<>();
  private final Mqtt5AsyncClient observer;

  private ProxiedMqtt(Mosquitto server) {
    this.server = server;
    this.line = TcpProxy.before(server.port());
    this.observer =
        MqttClient.builder()
            .useMqttVersion5()
            .identifier("observer")
            .serverHost("127.0.0.1")
            .serverPort(server.port())
            .automaticReconnectWithDefaultConfig()
            .buildAsync();
    MqttReader reader = new MqttReader(null);
    observer.publishes(MqttGlobalPublishFilter.ALL, packet -> arrivals.add(reader.read(packet)));
    observer.connectWith().cleanStart(true).sessionExpiryInterval(3_600).send().join();
  }

  static ProxiedMqtt start(String settings) {
    return new ProxiedMqtt(Mosquitto.start(settings));
  }

  /** Where clients connect. */
  MqttBroker broker(String clientId) {
    return MqttBroker.at("127.0.0.1", line.port(), clientId);
  }

  /** Has the observer keep what is published from now on, once it is connected. */
  void observe(String topicFilter) {
    Await.until(
        "the observer connects", Duration.ofSeconds(30), () -> observer.getState().isConnected());
    var unused =
        observer.subscribeWith().topicFilter(topicFilter).qos(MqttQos.AT_LEAST_ONCE).send().join();
  }

  /** Returns what was published to a topic that is observed, in the order of its arrival. */
  List<Received> arrivals(String topic) {
    return arrivals.stream().filter(each -> each.topic().equals(topic)).toList();
  }

  /** Publishes what is not a CloudEvent. */
  void publishForeign(String topic, byte[] payload) {
    var unused =
        observer
            .publishWith()
            .topic(topic)
            .qos(MqttQos.AT_LEAST_ONCE)
            .payload(payload)
            .send()
            .join();
  }

  /** Publishes what the broker keeps for whoever subscribes later. */
  void publishRetained(String topic, Mqtt5UserProperties properties) {
    var unused =
        observer
            .publishWith()
            .topic(topic)
            .qos(MqttQos.AT_LEAST_ONCE)
            .retain(true)
            .userProperties(properties)
            .send()
            .join();
  }

  @Override
  public void close() {
    observer.disconnect().join();
    line.close();
    server.close();
  }
}
