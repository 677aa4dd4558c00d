// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Sessions that are taken over, and choices of the receiver. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MqttReceiverIT {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ProxiedMqtt mqtt = ProxiedMqtt.start("allow_anonymous true");

  @AfterEach
  void stopCapturing() {
    CapturedLog.stop();
  }

  @AfterAll
  void close() {
    mqtt.close();
  }

  private void publish(String topic) {
    try (Sender sender = new Sender(MqttPublisher.to(mqtt.broker("publisher")), PATIENCE)) {
      Await.until(
          "somebody listens",
          PATIENCE,
          () ->
              sender.sendAll(List.of(Message.to(topic, "t").build())).contains(Outcome.PUBLISHED));
    }
  }

  /** Which one stands by is the broker's choice: this one does not say who took a session over. */
  @Test
  void oneOfTwoInstancesStandsByAndSaysSo() {
    List<Received> received = new CopyOnWriteArrayList<>();
    MqttReceiver receiver = MqttReceiver.of(mqtt.broker("shared"), "shared/#");
    CapturedLog.start();
    try (RunningReceiver first = receiver.start(received::addAll)) {
      publish("shared/a");
      Await.until("it has the session", PATIENCE, () -> received.size() == 1);
      try (RunningReceiver second = receiver.start(received::addAll)) {
        Await.until(
            "one stands by",
            PATIENCE,
            () -> CapturedLog.has("with the same client id; standing by"));
        publish("shared/b");
        Await.until("the other has it", PATIENCE, () -> topics(received).contains("shared/b"));
        assertThat(second.isRunning()).isTrue();
      }
      assertThat(first.isRunning()).isTrue();
    }
    assertThat(topics(received)).containsExactly("shared/a", "shared/b");
    assertThat(CapturedLog.stop().lines().filter(line -> line.contains("standing by")))
        .isNotEmpty()
        .allMatch(line -> line.startsWith("INFO"));
  }

  /** Without what came again when the session changed hands. */
  private static List<String> topics(List<Received> received) {
    return received.stream().map(Received::topic).distinct().toList();
  }

  @Test
  void connectionThatComesTooLateIsEnded() {
    CapturedLog.start();
    Await.until("the others are gone", PATIENCE, () -> mqtt.line.connectionCount() == 0);
    mqtt.server.suspend();
    try {
      RunningReceiver receiver =
          MqttReceiver.of(mqtt.broker("too-late"), "late/#").start(batch -> {});
      Await.until("it has waited", PATIENCE, () -> CapturedLog.has("cannot receive"));
      receiver.close();
      assertThat(mqtt.line.connectionCount()).isPositive();
      mqtt.server.resume();
      Await.until("none is left", PATIENCE, () -> mqtt.line.connectionCount() == 0);
    } finally {
      mqtt.server.resume();
    }
  }

  @Test
  void filterAndOriginAreKept() {
    List<Received> received = new CopyOnWriteArrayList<>();
    try (RunningReceiver receiver =
        MqttReceiver.of(mqtt.broker("filtered"), "some/+/orders")
            .origin("mirror")
            .sessionExpiry(Duration.ofMinutes(1))
            .start(received::addAll)) {
      publish("some/shop/orders");
      Await.until("it arrives", PATIENCE, () -> received.size() == 1);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(received.get(0).topic()).isEqualTo("some/shop/orders");
    assertThat(received.get(0).origin()).isEqualTo("mirror");
  }

  /** A broker sends what is retained with each connection, also what was acknowledged before. */
  @Test
  void retainedMessageComesOnceWhileThereIsASession() {
    List<Received> received = new CopyOnWriteArrayList<>();
    MqttReceiver receiver = MqttReceiver.of(mqtt.broker("retaining"), "retained/#");
    mqtt.publishRetained("retained/before", event("r1"));
    for (int connection = 1; connection <= 3; connection++) {
      try (RunningReceiver running = receiver.start(received::addAll)) {
        publish("retained/now");
        int count = connection;
        Await.until("it arrives", PATIENCE, () -> of("retained/now", received) == count);
        if (connection == 1) {
          mqtt.publishRetained("retained/meanwhile", event("r2"));
          Await.until("it arrives", PATIENCE, () -> of("retained/meanwhile", received) == 1);
        }
        assertThat(running.isRunning()).isTrue();
      }
    }
    assertThat(of("retained/before", received)).isZero();
    assertThat(of("retained/meanwhile", received)).isEqualTo(1);
  }

  private static long of(String topic, List<Received> received) {
    return received.stream().filter(each -> each.topic().equals(topic)).count();
  }

  private static Mqtt5UserProperties event(String id) {
    return Mqtt5UserProperties.builder()
        .add("specversion", "1.0")
        .add("id", id)
        .add("source", "/s")
        .add("type", "t")
        .build();
  }

  /** Or what was not acknowledged would be gone after a restart, without a word. */
  @Test
  void brokerThatGrantsOnlyQosZeroIsRefusedWithARemedy() {
    CapturedLog.start();
    try (ProxiedMqtt poor = ProxiedMqtt.start("allow_anonymous true\nmax_qos 0");
        RunningReceiver receiver =
            MqttReceiver.of(poor.broker("poor"), "poor/#").start(batch -> {})) {
      Await.until("it says so", PATIENCE, () -> CapturedLog.has("grants QoS 0 for 'poor/#'"));
      assertThat(receiver.isRunning()).isTrue();
    }
  }

  /** What the broker does with it was not tried: Mosquitto 2.0.11 exceeds it. */
  @Test
  void numberOfMessagesAheadIsOneThatMqttAllows() {
    MqttReceiver receiver = MqttReceiver.of(mqtt.broker("few"), "few/#");
    for (int wrong : List.of(0, 65_536)) {
      assertThatThrownBy(() -> receiver.receiveMaximum(wrong))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("receiveMaximum must be 1 to 65535");
    }
  }

  @Test
  void topicThatCanBeNoOriginNeedsAName() {
    MqttReceiver receiver = MqttReceiver.of(mqtt.broker("kitchen"), "shop/Küche");
    assertThatThrownBy(() -> receiver.start(batch -> {}))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("origin(...)");
    List<Received> received = new CopyOnWriteArrayList<>();
    try (RunningReceiver running = receiver.origin("kitchen").start(received::addAll)) {
      publish("shop/Küche");
      Await.until("it arrives", PATIENCE, () -> received.size() == 1);
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(received.get(0).origin()).isEqualTo("kitchen");
  }
}
