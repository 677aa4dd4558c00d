// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.Resource;
import org.springframework.util.unit.DataSize;

/**
 * The settings of Kafka's clients from {@code spring.kafka.*}: those that Boot's own producer or
 * consumer would get, without what Outledger decides itself.
 */
final class KafkaSettings {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaSettings.class);

  private final BrokerSources sources;

  KafkaSettings(BrokerSources sources) {
    this.sources = sources;
  }

  /**
   * Returns a producer's settings by their Kafka names, the more particular ones over the general
   * ones.
   *
   * @param decided the settings that Outledger decides: they are left out
   */
  Map<String, Object> producer(Set<String> decided) {
    Map<String, Object> settings = new TreeMap<>();
    SpringProperties all = properties();
    common(all, settings);
    SpringProperties own = all.under("producer");
    common(own, settings);
    text(own, "acks", settings, "acks");
    size(own, "batch-size", settings, "batch.size");
    size(own, "buffer-memory", settings, "buffer.memory");
    text(own, "compression-type", settings, "compression.type");
    text(own, "retries", settings, "retries");
    return without(decided, own, settings);
  }

  /** Returns a consumer's settings, in the same way. */
  Map<String, Object> consumer(Set<String> decided) {
    Map<String, Object> settings = new TreeMap<>();
    SpringProperties all = properties();
    common(all, settings);
    SpringProperties own = all.under("consumer");
    common(own, settings);
    text(own, "auto-offset-reset", settings, "auto.offset.reset");
    time(own, "auto-commit-interval", settings, "auto.commit.interval.ms");
    text(own, "enable-auto-commit", settings, "enable.auto.commit");
    time(own, "fetch-max-wait", settings, "fetch.max.wait.ms");
    size(own, "fetch-min-size", settings, "fetch.min.bytes");
    time(own, "heartbeat-interval", settings, "heartbeat.interval.ms");
    text(own, "isolation-level", settings, "isolation.level");
    text(own, "max-poll-records", settings, "max.poll.records");
    time(own, "max-poll-interval", settings, "max.poll.interval.ms");
    return without(decided, own, settings);
  }

  /** Returns the properties that all clients of Kafka share. */
  SpringProperties properties() {
    return sources.properties("kafka", "spring.kafka");
  }

  private static void common(SpringProperties from, Map<String, Object> to) {
    if (!from.texts("bootstrap-servers").isEmpty()) {
      to.put("bootstrap.servers", String.join(",", from.texts("bootstrap-servers")));
    }
    text(from, "client-id", to, "client.id");
    text(from, "security.protocol", to, "security.protocol");
    SpringProperties ssl = from.under("ssl");
    text(ssl, "key-password", to, "ssl.key.password");
    text(ssl, "key-store-certificate-chain", to, "ssl.keystore.certificate.chain");
    text(ssl, "key-store-key", to, "ssl.keystore.key");
    file(ssl, "key-store-location", to, "ssl.keystore.location");
    text(ssl, "key-store-password", to, "ssl.keystore.password");
    text(ssl, "key-store-type", to, "ssl.keystore.type");
    text(ssl, "trust-store-certificates", to, "ssl.truststore.certificates");
    file(ssl, "trust-store-location", to, "ssl.truststore.location");
    text(ssl, "trust-store-password", to, "ssl.truststore.password");
    text(ssl, "trust-store-type", to, "ssl.truststore.type");
    text(ssl, "protocol", to, "ssl.protocol");
    to.putAll(from.map("properties"));
  }

  private static Map<String, Object> without(
      Set<String> decided, SpringProperties from, Map<String, Object> settings) {
    Set<String> left = new TreeSet<>(settings.keySet());
    left.retainAll(decided);
    if (!left.isEmpty()) {
      LOG.debug("of {}, Outledger decides these settings itself: {}", from.name("*"), left);
      settings.keySet().removeAll(left);
    }
    return settings;
  }

  private static void text(
      SpringProperties from, String property, Map<String, Object> to, String setting) {
    from.text(property).ifPresent(text -> to.put(setting, text));
  }

  private static void size(
      SpringProperties from, String property, Map<String, Object> to, String setting) {
    from.value(property, DataSize.class)
        .ifPresent(size -> to.put(setting, String.valueOf(size.toBytes())));
  }

  private static void time(
      SpringProperties from, String property, Map<String, Object> to, String setting) {
    from.value(property, Duration.class)
        .ifPresent(time -> to.put(setting, String.valueOf(time.toMillis())));
  }

  private static void file(
      SpringProperties from, String property, Map<String, Object> to, String setting) {
    from.value(property, Resource.class)
        .ifPresent(resource -> to.put(setting, path(from.name(property), resource)));
  }

  private static String path(String property, Resource resource) {
    try {
      return resource.getFile().getAbsolutePath();
    } catch (IOException e) {
      throw BrokerSources.invalid(
          property
              + " is "
              + resource.getDescription()
              + ", and Kafka reads it from a file: write it with file: before the path, or use an"
              + " SSL bundle");
    }
  }
}
