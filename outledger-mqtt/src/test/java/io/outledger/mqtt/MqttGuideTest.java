// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import org.junit.jupiter.api.Test;

/** The programs of docs/mqtt.md. */
final class MqttGuideTest {

  private static void publish(byte[] password) {
    MqttBroker broker =
        MqttBroker.at("mqtt-1", 8883, "shop-relay")
            .client(
                client ->
                    client
                        .sslWithDefaultConfig()
                        .simpleAuth()
                        .username("shop")
                        .password(password)
                        .applySimpleAuth());

    Publisher publisher =
        MqttPublisher.to(broker).source("/shop/orders").topics(topic -> "shop/" + topic);
    assertThat(publisher).hasToString("MqttPublisher[mqtt-1:8883]");
  }

  private static void receive(BatchHandler handler) {
    RunningReceiver receiver =
        MqttReceiver.of(MqttBroker.at("mqtt-1", 1883, "inventory"), "shop/orders").start(handler);
    assertThat(receiver.isRunning()).isTrue();
    receiver.close();
  }

  @Test
  void programsOfThePageRunWithoutABroker() {
    publish(new byte[] {1});
    receive(batch -> {});
  }
}
