// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import io.outledger.contracts.ReceiverContract;
import io.outledger.contracts.ReceiverFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MqttReceiverContractIT extends ReceiverContract {

  private final ProxiedMqtt mqtt = ProxiedMqtt.start("allow_anonymous true");

  @Override
  protected ReceiverFixture openFixture() {
    return new MqttReceiverFixture(mqtt);
  }

  @AfterAll
  void close() {
    mqtt.close();
  }
}
