// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * How a broker is reached, where something else than properties says so, such as a container that
 * Testcontainers or Docker Compose has started. The starters make one of Boot's connection details.
 *
 * @param broker the broker, as it is called in properties, such as {@code kafka}
 * @param properties Boot's properties with their values, such as {@code spring.rabbitmq.host}; they
 *     go before those of the application
 * @param sslBundle how to trust it; null where that is left to properties
 */
public record BrokerConnection(
    String broker, Map<String, String> properties, @Nullable SslBundle sslBundle) {

  /** Keeps a copy. */
  public BrokerConnection {
    properties = Map.copyOf(properties);
  }

  /** Names the broker alone: a property may be a password. */
  @Override
  public String toString() {
    return "BrokerConnection[" + broker + "]";
  }
}
