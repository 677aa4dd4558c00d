// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;

/**
 * Says that Kafka refuses a client's settings. Its own texts quote what they do not understand, so
 * a login that is written wrongly would put its password into the log: where there are secrets
 * among the settings, those texts are left out.
 */
final class RefusedSettings {

  private static final List<String> SECRETS = List.of("password", "jaas.config", "keystore.key");

  private RefusedSettings() {}

  static ConfigurationException of(String client, Map<String, ?> settings, KafkaException failure) {
    String refused = "Kafka rejected the settings of the " + client + ": ";
    List<String> secret =
        settings.keySet().stream()
            .filter(name -> SECRETS.stream().anyMatch(name::endsWith))
            .sorted()
            .toList();
    if (secret.isEmpty()) {
      return new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, refused + failure, failure);
    }
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        refused
            + origin(failure).getClass().getSimpleName()
            + " (message omitted because it may contain a secret); check "
            + String.join(", ", secret)
            + " first");
  }

  private static Throwable origin(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure : origin(cause);
  }
}
