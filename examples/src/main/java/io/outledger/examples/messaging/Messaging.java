// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.messaging;

import io.outledger.examples.Settings;
import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;

/**
 * The broker that a service publishes to and receives from. An application has one, and writes
 * these two lines where it needs them; the demo shows the same services on several.
 */
public interface Messaging {

  /**
   * Returns what publishes to the broker.
   *
   * @param source what the service's messages say that they come from
   */
  Publisher publisher(String source);

  /**
   * Starts to receive.
   *
   * @param topic what to receive
   * @param consumer the name of the service, under which the broker remembers what it received
   * @param handler what makes the messages take effect
   */
  RunningReceiver receive(String topic, String consumer, BatchHandler handler);

  /** Returns the broker that the settings name. */
  static Messaging of(Settings settings) {
    String broker = settings.text("broker");
    return switch (broker) {
      case "artemis" -> new ArtemisMessaging(settings);
      case "kafka" -> new KafkaMessaging(settings);
      case "mqtt" -> new MqttMessaging(settings);
      case "nats" -> new NatsMessaging(settings);
      case "pulsar" -> new PulsarMessaging(settings);
      case "rabbitmq" -> new RabbitMessaging(settings);
      case "redis" -> new RedisMessaging(settings);
      case "sqs" -> new SqsMessaging(settings);
      default -> throw new IllegalArgumentException("there is no broker " + broker);
    };
  }
}
