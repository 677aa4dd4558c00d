// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The brokers that the demo can run on, by name. */
final class DemoBrokers {

  /** The one that is taken if none is named. */
  static final String DEFAULT = "kafka";

  private static final Map<String, Supplier<DemoBroker>> ALL =
      new TreeMap<>(
          Map.of(
              "artemis", ArtemisDemoBroker::start,
              "kafka", KafkaDemoBroker::start,
              "mqtt", MqttDemoBroker::start,
              "nats", NatsDemoBroker::start,
              "pulsar", PulsarDemoBroker::start,
              "rabbitmq", RabbitDemoBroker::start,
              "redis", RedisDemoBroker::start,
              "sqs", SqsDemoBroker::start));

  private DemoBrokers() {}

  static boolean has(String name) {
    return ALL.containsKey(name);
  }

  /** Returns the names of all, for people. */
  static String names() {
    return ALL.keySet().stream().collect(Collectors.joining(", "));
  }

  /** Starts a broker with what the shop needs in it. */
  static DemoBroker start(String name) {
    Supplier<DemoBroker> broker = ALL.get(name);
    if (broker == null) {
      throw new IllegalArgumentException("there is no broker " + name);
    }
    return broker.get();
  }
}
