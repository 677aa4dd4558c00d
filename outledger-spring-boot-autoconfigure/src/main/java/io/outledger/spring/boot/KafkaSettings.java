// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * A producer's settings from {@code spring.kafka.*}. They are read here, because Boot's own class
 * for them needs spring-kafka, and has moved between its lines.
 */
final class KafkaSettings {

  private static final Bindable<Map<String, String>> TEXTS =
      Bindable.mapOf(String.class, String.class);

  private KafkaSettings() {}

  /** Returns settings by their Kafka names, the more particular ones over the general ones. */
  static Map<String, Object> of(Environment environment) {
    Binder binder = Binder.get(environment);
    Map<String, Object> settings = new HashMap<>();
    servers(binder, "spring.kafka.", settings);
    servers(binder, "spring.kafka.producer.", settings);
    return settings;
  }

  private static void servers(Binder binder, String prefix, Map<String, Object> settings) {
    binder
        .bind(prefix + "bootstrap-servers", Bindable.listOf(String.class))
        .ifBound(servers -> settings.put("bootstrap.servers", joined(servers)));
    text(binder, prefix + "client-id", "client.id", settings);
    text(binder, prefix + "security.protocol", "security.protocol", settings);
    settings.putAll(binder.bind(prefix + "properties", TEXTS).orElseGet(Map::of));
  }

  private static void text(
      Binder binder, String property, String setting, Map<String, Object> settings) {
    binder.bind(property, String.class).ifBound(value -> settings.put(setting, value));
  }

  private static String joined(List<String> servers) {
    return String.join(",", servers);
  }
}
