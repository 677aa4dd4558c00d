// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.messaging;

import io.outledger.examples.Settings;
import io.outledger.inbox.BatchHandler;
import io.outledger.mqtt.MqttBroker;
import io.outledger.mqtt.MqttPublisher;
import io.outledger.mqtt.MqttReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;

/**
 * MQTT: a message's topic is a topic, and the broker keeps a session with what each service has
 * subscribed to.
 */
record MqttMessaging(Settings settings) implements Messaging {

  @Override
  public Publisher publisher(String source) {
    return MqttPublisher.to(broker("from" + source.replace('/', '-'))).source(source);
  }

  @Override
  public RunningReceiver receive(String topic, String consumer, BatchHandler handler) {
    return MqttReceiver.of(broker(consumer), topic).start(handler);
  }

  private MqttBroker broker(String clientId) {
    return MqttBroker.at("127.0.0.1", Integer.parseInt(settings.text("mqtt.port")), clientId);
  }
}
