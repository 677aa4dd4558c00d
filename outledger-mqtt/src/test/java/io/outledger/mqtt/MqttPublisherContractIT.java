// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MqttPublisherContractIT extends PublisherContract {

  private final ProxiedMqtt mqtt =
      ProxiedMqtt.start("allow_anonymous true\nmax_packet_size " + MqttFixture.PACKET_BYTES_MAX);

  @Override
  protected PublisherFixture openFixture() {
    return new MqttFixture(mqtt);
  }

  @AfterAll
  void close() {
    mqtt.close();
  }
}
