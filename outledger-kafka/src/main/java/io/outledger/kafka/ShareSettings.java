// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.apache.kafka.clients.consumer.ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.AUTO_OFFSET_RESET_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.CLIENT_ID_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.FETCH_MAX_BYTES_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_ID_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_INSTANCE_ID_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_PROTOCOL_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.ISOLATION_LEVEL_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.MAX_POLL_RECORDS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.RECONNECT_BACKOFF_MS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG;

import io.outledger.Printable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A share consumer's settings: the user's, checked, and those that receiving safely rests on. */
final class ShareSettings {

  // By their names, since clients before 4.2 do not have the constants.
  private static final String ACKNOWLEDGEMENT_MODE = "share.acknowledgement.mode";
  private static final String ACQUIRE_MODE = "share.acquire.mode";
  private static final int BATCH_MAX = 100;
  private static final int BATCH_BYTES_MAX = 16 * 1024 * 1024;

  private final Map<String, Object> settings;

  private ShareSettings(Map<String, Object> settings) {
    this.settings = settings;
  }

  /** Checks the user's settings and adds ours. */
  static ShareSettings of(Map<String, ?> given) {
    SettingsCheck check = new SettingsCheck("share consumer", given);
    check.addresses(BOOTSTRAP_SERVERS_CONFIG);
    check.required(GROUP_ID_CONFIG, "the share group, for which Kafka keeps what is received");
    check.only(ACKNOWLEDGEMENT_MODE, "explicit", "records are acknowledged after processing");
    check.only(
        ACQUIRE_MODE, "record_limit", "each record that is fetched ahead is one delivery nearer");
    check.only(
        ISOLATION_LEVEL_CONFIG, "read_committed", "it is the group's setting in Kafka's cluster");
    String bytes = ByteArrayDeserializer.class.getName();
    check.only(KEY_DESERIALIZER_CLASS_CONFIG, bytes, "the receiver reads records as bytes");
    check.only(VALUE_DESERIALIZER_CLASS_CONFIG, bytes, "the receiver reads records as bytes");
    check.absent(
        AUTO_OFFSET_RESET_CONFIG, "it is the group's " + ShareGroupSettings.START + " in Kafka");
    for (String name :
        List.of(
            ENABLE_AUTO_COMMIT_CONFIG,
            GROUP_INSTANCE_ID_CONFIG,
            GROUP_PROTOCOL_CONFIG,
            GROUP_REMOTE_ASSIGNOR_CONFIG,
            HEARTBEAT_INTERVAL_MS_CONFIG,
            INTERCEPTOR_CLASSES_CONFIG,
            PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            SESSION_TIMEOUT_MS_CONFIG)) {
      check.absent(name, "Kafka's share consumers do not have it");
    }
    check.kafka(ConsumerConfig.configDef());
    check.done();
    return new ShareSettings(ours(given));
  }

  private static Map<String, Object> ours(Map<String, ?> given) {
    Map<String, Object> settings = new TreeMap<>(given);
    settings.keySet().remove(ISOLATION_LEVEL_CONFIG);
    settings.put(ACKNOWLEDGEMENT_MODE, "explicit");
    settings.put(ACQUIRE_MODE, "record_limit");
    settings.put(KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    settings.put(VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    settings.putIfAbsent(ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.putIfAbsent(MAX_POLL_RECORDS_CONFIG, BATCH_MAX);
    settings.putIfAbsent(FETCH_MAX_BYTES_CONFIG, BATCH_BYTES_MAX);
    // Kafka's client writes a line for each attempt.
    settings.putIfAbsent(RECONNECT_BACKOFF_MS_CONFIG, 250);
    settings.putIfAbsent(RECONNECT_BACKOFF_MAX_MS_CONFIG, 3_000);
    return settings;
  }

  /** Returns the settings of Kafka's share consumer. */
  Map<String, Object> all() {
    return settings;
  }

  /** Returns the settings of a client that asks about the group, with an answer within a time. */
  Map<String, Object> forAsking(Duration patience) {
    int ms = Math.toIntExact(patience.toMillis());
    Map<String, Object> asking = new TreeMap<>(settings);
    UnknownSettings.retain(AdminClientConfig.configNames(), ConsumerConfig.configNames(), asking);
    asking.remove(CLIENT_ID_CONFIG); // which is the consumer's in Kafka's metrics
    asking.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ms);
    asking.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ms);
    return asking;
  }

  /** Returns the group's name. */
  String group() {
    return String.valueOf(settings.get(GROUP_ID_CONFIG)).trim();
  }

  /** Returns where Kafka is, for people. */
  String servers() {
    return Printable.value(settings.get(BOOTSTRAP_SERVERS_CONFIG));
  }

  /** Names the group and the servers alone; other settings may be secret. */
  @Override
  public String toString() {
    return Printable.value(group()) + " at " + servers();
  }
}
