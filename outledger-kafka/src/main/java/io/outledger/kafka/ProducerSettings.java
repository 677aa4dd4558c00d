// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.apache.kafka.clients.producer.ProducerConfig.ACKS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BATCH_SIZE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.LINGER_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_BLOCK_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION;
import static org.apache.kafka.clients.producer.ProducerConfig.PARTITIONER_CLASS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RECONNECT_BACKOFF_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RETRIES_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTIONAL_ID_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG;

import io.outledger.ConfigurationException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The producer's settings: the user's, checked, and those that order and safety rest on. */
final class ProducerSettings {

  // Ten times fewer requests than Kafka's 16 KiB where a backlog drains; no cost where it is quiet.
  static final int BATCH_BYTES = 128 * 1024;

  private static final int RECONNECT_MS_MIN = 250;
  private static final int RECONNECT_MS = 1_000;
  private static final int RECONNECT_MS_MAX = 3_000;

  /** What the publisher decides itself, whatever others say. */
  static final Set<String> DECIDED =
      Set.of(
          ENABLE_IDEMPOTENCE_CONFIG,
          ACKS_CONFIG,
          PARTITIONER_IGNORE_KEYS_CONFIG,
          KEY_SERIALIZER_CLASS_CONFIG,
          VALUE_SERIALIZER_CLASS_CONFIG,
          MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
          RETRIES_CONFIG,
          TRANSACTIONAL_ID_CONFIG,
          PARTITIONER_CLASS_CONFIG,
          DELIVERY_TIMEOUT_MS_CONFIG,
          MAX_BLOCK_MS_CONFIG);

  private final Map<String, Object> settings;

  private ProducerSettings(Map<String, Object> settings) {
    this.settings = settings;
  }

  /** Checks the user's settings and adds ours. */
  static ProducerSettings of(Map<String, ?> given) {
    SettingsCheck check = new SettingsCheck("producer", given);
    check.addresses(BOOTSTRAP_SERVERS_CONFIG);
    check.only(ENABLE_IDEMPOTENCE_CONFIG, "true", "ordering and retries depend on it");
    check.only(ACKS_CONFIG, "all", "a message counts as published once it is replicated");
    check.only(PARTITIONER_IGNORE_KEYS_CONFIG, "false", "a key stays in its partition");
    String bytes = ByteArraySerializer.class.getName();
    check.only(KEY_SERIALIZER_CLASS_CONFIG, bytes, "keys are UTF-8 text");
    check.only(VALUE_SERIALIZER_CLASS_CONFIG, bytes, "payloads are sent unchanged");
    check.range(
        MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1, 5, "Kafka keeps the order of at most five");
    check.range(
        RETRIES_CONFIG,
        1,
        Integer.MAX_VALUE,
        "so that a lost connection does not change the order");
    check.absent(TRANSACTIONAL_ID_CONFIG, "the relay's lease decides which process publishes");
    check.absent(PARTITIONER_CLASS_CONFIG, "a key stays in its partition");
    check.absent(DELIVERY_TIMEOUT_MS_CONFIG, "the relay's lease does this instead");
    check.absent(MAX_BLOCK_MS_CONFIG, "the relay's lease does this instead");
    check.kafka(ProducerConfig.configDef());
    check.done();
    return new ProducerSettings(ours(given));
  }

  private static Map<String, Object> ours(Map<String, ?> given) {
    Map<String, Object> settings = new TreeMap<>(given);
    settings.putIfAbsent(BATCH_SIZE_CONFIG, BATCH_BYTES);
    settings.putIfAbsent(RECONNECT_BACKOFF_MS_CONFIG, RECONNECT_MS_MIN);
    settings.putIfAbsent(RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MS);
    // The relay asks for a page to be sent at once; batches still form while requests are out.
    settings.putIfAbsent(LINGER_MS_CONFIG, 0);
    settings.put(ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ACKS_CONFIG, "all");
    settings.put(KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    return settings;
  }

  /** Returns the settings of a producer whose deliveries end within the given times. */
  Map<String, Object> within(DeliveryTimes times) {
    Map<String, Object> bounded = new TreeMap<>(settings);
    bounded.put(MAX_BLOCK_MS_CONFIG, times.blockMs());
    bounded.put(DELIVERY_TIMEOUT_MS_CONFIG, times.deliveryMs());
    atMost(bounded, REQUEST_TIMEOUT_MS_CONFIG, times.requestMs());
    atMost(bounded, SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, times.requestMs());
    atMost(bounded, LINGER_MS_CONFIG, times.deliveryMs() - times.requestMs());
    return bounded;
  }

  /**
   * Has Kafka check the settings as a whole, before there is a producer.
   *
   * @throws ConfigurationException {@code OUT-021} if they contradict each other
   */
  void checkWithin(DeliveryTimes times) {
    Map<String, Object> bounded = within(times);
    try {
      new ProducerConfig(bounded);
    } catch (KafkaException e) {
      throw RefusedSettings.of("producer", bounded, e);
    }
  }

  /**
   * Returns the settings of a client that asks for topics, with an answer within the given times.
   */
  Map<String, Object> forAsking(DeliveryTimes times) {
    Map<String, Object> asking = new TreeMap<>(settings);
    UnknownSettings.retain(AdminClientConfig.configNames(), ProducerConfig.configNames(), asking);
    atMost(asking, REQUEST_TIMEOUT_MS_CONFIG, times.lookupMs());
    atMost(asking, SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, times.lookupMs());
    asking.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, times.lookupMs());
    // Kafka writes some lines each time, and ten a second where it looks for other addresses; the
    // publisher does that itself, with a new client, when an outage lasts.
    asking.putIfAbsent(AdminClientConfig.METADATA_RECOVERY_STRATEGY_CONFIG, "none");
    asking.put(RECONNECT_BACKOFF_MS_CONFIG, RECONNECT_MS);
    asking.put(RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MS_MAX);
    return asking;
  }

  private static void atMost(Map<String, Object> settings, String name, int max) {
    Object given = settings.get(name);
    long ms = given == null ? max : Long.parseLong(given.toString().trim());
    settings.put(name, (int) Math.min(ms, max));
  }

  /** Names the servers alone; other settings may be secret. */
  @Override
  public String toString() {
    return String.valueOf(settings.get(BOOTSTRAP_SERVERS_CONFIG));
  }
}
