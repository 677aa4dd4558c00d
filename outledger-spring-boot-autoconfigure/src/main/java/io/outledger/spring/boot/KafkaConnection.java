// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.Map;

/**
 * How Kafka is reached, where something else than properties says so, such as a container that
 * Testcontainers or Docker Compose has started. The starters make one of Boot's connection details.
 */
@FunctionalInterface
public interface KafkaConnection {

  /** Returns settings of Kafka's clients, by their Kafka names; they go before properties. */
  Map<String, Object> settings();
}
