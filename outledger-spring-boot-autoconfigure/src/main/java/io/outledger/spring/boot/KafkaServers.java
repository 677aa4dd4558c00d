// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

/** Whether an application can publish to Kafka without a property of Outledger. */
final class KafkaServers {

  private KafkaServers() {}

  /** Says whether outledger-kafka is there, and properties or a container say where Kafka is. */
  static boolean isKnown(BrokerSources sources) {
    return Brokers.isPresent("kafka")
        && (sources.connection("kafka").isPresent()
            || !sources.properties("kafka", "spring.kafka").texts("bootstrap-servers").isEmpty());
  }
}
