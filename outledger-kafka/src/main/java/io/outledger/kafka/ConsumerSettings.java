// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.apache.kafka.clients.consumer.ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.AUTO_OFFSET_RESET_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.CLIENT_ID_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_ID_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_INSTANCE_ID_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_PROTOCOL_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.ISOLATION_LEVEL_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.MAX_POLL_RECORDS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG;

import io.outledger.Printable;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The consumer's settings: the user's, checked, and those that receiving safely rests on. */
final class ConsumerSettings {

  private static final String EARLIEST = "earliest";
  private static final String LATEST = "latest";
  private static final int BATCH_MAX = 500;

  /** What makes a consumer a member of a group. */
  private static final Set<String> MEMBERSHIP =
      Set.of(
          GROUP_ID_CONFIG,
          GROUP_INSTANCE_ID_CONFIG,
          GROUP_PROTOCOL_CONFIG,
          GROUP_REMOTE_ASSIGNOR_CONFIG,
          PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
          SESSION_TIMEOUT_MS_CONFIG,
          HEARTBEAT_INTERVAL_MS_CONFIG,
          CLIENT_ID_CONFIG);

  /** What the receiver decides itself, whatever others say. */
  static final Set<String> DECIDED =
      Set.of(
          ENABLE_AUTO_COMMIT_CONFIG,
          ISOLATION_LEVEL_CONFIG,
          KEY_DESERIALIZER_CLASS_CONFIG,
          VALUE_DESERIALIZER_CLASS_CONFIG);

  private final Map<String, Object> settings;
  private final boolean fromEnd;
  private final int batchMax;

  private ConsumerSettings(Map<String, Object> settings, boolean fromEnd, int batchMax) {
    this.settings = settings;
    this.fromEnd = fromEnd;
    this.batchMax = batchMax;
  }

  /** Checks the user's settings and adds ours. */
  static ConsumerSettings of(Map<String, ?> given) {
    SettingsCheck check = new SettingsCheck("consumer", given);
    check.addresses(BOOTSTRAP_SERVERS_CONFIG);
    check.required(GROUP_ID_CONFIG, "the group under which Kafka stores the offsets");
    check.only(ENABLE_AUTO_COMMIT_CONFIG, "false", "the receiver commits offsets after processing");
    check.only(
        ISOLATION_LEVEL_CONFIG,
        "read_committed",
        "records of aborted transactions must not be received");
    String bytes = ByteArrayDeserializer.class.getName();
    check.only(KEY_DESERIALIZER_CLASS_CONFIG, bytes, "the receiver reads records as bytes");
    check.only(VALUE_DESERIALIZER_CLASS_CONFIG, bytes, "the receiver reads records as bytes");
    check.oneOf(AUTO_OFFSET_RESET_CONFIG, EARLIEST, LATEST);
    check.kafka(ConsumerConfig.configDef());
    check.done();
    Object reset = given.get(AUTO_OFFSET_RESET_CONFIG);
    Object batchMax = given.get(MAX_POLL_RECORDS_CONFIG);
    return new ConsumerSettings(
        ours(given),
        LATEST.equals(String.valueOf(reset)),
        batchMax == null ? BATCH_MAX : Integer.parseInt(batchMax.toString().trim()));
  }

  private static Map<String, Object> ours(Map<String, ?> given) {
    Map<String, Object> settings = new TreeMap<>(given);
    settings.putIfAbsent(ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    if (!"consumer".equalsIgnoreCase(String.valueOf(given.get(GROUP_PROTOCOL_CONFIG)))) {
      // A partition that stays with its consumer is not interrupted by others' coming and going.
      settings.putIfAbsent(
          PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
    }
    // One at a time, since a few kilobytes may expand to records of any size; the receiver gathers
    // them into batches itself.
    settings.put(MAX_POLL_RECORDS_CONFIG, 1);
    settings.put(ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ISOLATION_LEVEL_CONFIG, "read_committed");
    // A consumer that resets by itself would skip records that the broker removed, and not say so.
    settings.put(AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    settings.put(VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    return settings;
  }

  /** Returns the settings of Kafka's consumer. */
  Map<String, Object> all() {
    return settings;
  }

  /** Returns the settings of a consumer that reads the same and belongs to no group. */
  Map<String, Object> outsideTheGroup() {
    Map<String, Object> alone = new TreeMap<>(settings);
    alone.keySet().removeAll(MEMBERSHIP);
    return alone;
  }

  /** Returns the settings of a client that asks for topics, with an answer within a time. */
  Map<String, Object> forAsking(Duration patience) {
    int ms = Math.toIntExact(patience.toMillis());
    Map<String, Object> asking = new TreeMap<>(settings);
    UnknownSettings.retain(AdminClientConfig.configNames(), ConsumerConfig.configNames(), asking);
    asking.remove(CLIENT_ID_CONFIG); // which is the consumer's in Kafka's metrics
    asking.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ms);
    asking.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ms);
    return asking;
  }

  /** Returns the maximum number of records in a batch. */
  int batchMax() {
    return batchMax;
  }

  /** Returns the group's name, for people. */
  String group() {
    return Printable.value(settings.get(GROUP_ID_CONFIG));
  }

  /** Returns where Kafka is, for people. */
  String servers() {
    return Printable.value(settings.get(BOOTSTRAP_SERVERS_CONFIG));
  }

  /** Says whether a group without offsets starts behind the newest record. */
  boolean fromEnd() {
    return fromEnd;
  }

  /** Names the group and the servers alone; other settings may be secret. */
  @Override
  public String toString() {
    return settings.get(GROUP_ID_CONFIG) + " at " + settings.get(BOOTSTRAP_SERVERS_CONFIG);
  }
}
