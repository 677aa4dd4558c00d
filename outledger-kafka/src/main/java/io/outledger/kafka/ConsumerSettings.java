// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.apache.kafka.clients.consumer.ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.AUTO_OFFSET_RESET_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_ID_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_PROTOCOL_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.ISOLATION_LEVEL_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG;

import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The consumer's settings: the user's, checked, and those that receiving safely rests on. */
final class ConsumerSettings {

  private static final String EARLIEST = "earliest";
  private static final String LATEST = "latest";

  private final Map<String, Object> settings;
  private final boolean fromEnd;

  private ConsumerSettings(Map<String, Object> settings, boolean fromEnd) {
    this.settings = settings;
    this.fromEnd = fromEnd;
  }

  /** Checks the user's settings and adds ours. */
  static ConsumerSettings of(Map<String, ?> given) {
    SettingsCheck check = new SettingsCheck("consumer", given);
    check.addresses(BOOTSTRAP_SERVERS_CONFIG);
    check.required(GROUP_ID_CONFIG, "the group under which offsets are remembered");
    check.only(ENABLE_AUTO_COMMIT_CONFIG, "false", "offsets are committed after the effects");
    check.only(ISOLATION_LEVEL_CONFIG, "read_committed", "what was rolled back is not received");
    String bytes = ByteArrayDeserializer.class.getName();
    check.only(KEY_DESERIALIZER_CLASS_CONFIG, bytes, "records are read as bytes");
    check.only(VALUE_DESERIALIZER_CLASS_CONFIG, bytes, "records are read as bytes");
    check.oneOf(AUTO_OFFSET_RESET_CONFIG, EARLIEST, LATEST);
    check.kafka(ConsumerConfig.configDef());
    check.done();
    Object reset = given.get(AUTO_OFFSET_RESET_CONFIG);
    return new ConsumerSettings(ours(given), LATEST.equals(String.valueOf(reset)));
  }

  private static Map<String, Object> ours(Map<String, ?> given) {
    Map<String, Object> settings = new TreeMap<>(given);
    settings.putIfAbsent(ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    if (!"consumer".equalsIgnoreCase(String.valueOf(given.get(GROUP_PROTOCOL_CONFIG)))) {
      // A partition that stays with its consumer is not interrupted by others' coming and going.
      settings.putIfAbsent(
          PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
    }
    settings.put(ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ISOLATION_LEVEL_CONFIG, "read_committed");
    // A consumer that resets by itself would skip records that the broker removed, and not say so.
    settings.put(AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    settings.put(VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    return settings;
  }

  /** Returns what Kafka's consumer is made from. */
  Map<String, Object> all() {
    return settings;
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
