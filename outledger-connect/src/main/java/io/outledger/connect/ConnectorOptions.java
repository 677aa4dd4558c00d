// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.OutledgerBuilder;
import io.outledger.relay.Slots;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.types.Password;

/**
 * The connector's settings, as they were given and found valid.
 *
 * @param offsets what the source partitions are named for
 * @param values all others, read by name
 */
record ConnectorOptions(SlotOffsets offsets, AbstractConfig values) {

  /** Reads settings; they were checked by {@link SettingsCheck}. */
  static ConnectorOptions of(Map<String, String> given) {
    AbstractConfig values = new AbstractConfig(ConnectorSettings.definition(), given, false);
    return new ConnectorOptions(
        new SlotOffsets(
            values.getString(ConnectorSettings.LEDGER),
            values.getString(ConnectorSettings.SUBSCRIPTION),
            new Slots(values.getInt(ConnectorSettings.SLOTS))),
        values);
  }

  String subscription() {
    return offsets.subscription();
  }

  Slots slots() {
    return offsets.slots();
  }

  boolean isExactlyOnce() {
    return values.getString(ConnectorSettings.DELIVERY).equals(ConnectorSettings.EXACTLY_ONCE);
  }

  /** Returns whether it may run in an engine without a Kafka. */
  boolean isEmbedded() {
    return !isExactlyOnce() && values.getString(ConnectorSettings.BOOTSTRAP) == null;
  }

  Start start() {
    return values.getString(ConnectorSettings.START).equals(ConnectorSettings.NOW)
        ? Start.NOW
        : Start.EARLIEST;
  }

  /** Returns the database, each connection with a login of its own. */
  DriverDataSource dataSource() {
    Password password = values.getPassword(ConnectorSettings.PASSWORD);
    return new DriverDataSource(
        values.getString(ConnectorSettings.URL),
        values.getString(ConnectorSettings.USER),
        password == null ? null : password.value());
  }

  /** Returns the schema; empty where a connection finds the tables without its name. */
  Optional<String> schema() {
    return Optional.ofNullable(values.getString(ConnectorSettings.SCHEMA));
  }

  /**
   * Returns what opens the ledger.
   *
   * @param database {@link #dataSource}, or what is above it
   */
  OutledgerBuilder ledger(DataSource database, String instance) {
    OutledgerBuilder builder = Outledger.builder(database).instance(instance);
    long retention = values.getLong(ConnectorSettings.RETENTION);
    if (retention == ConnectorSettings.NO_RETENTION) {
      builder.withoutRetention();
    } else {
      builder.messageRetention(Duration.ofMillis(retention));
    }
    return schema().map(builder::schema).orElse(builder);
  }

  Duration lease() {
    return Duration.ofMillis(values.getInt(ConnectorSettings.LEASE));
  }

  TopicName topic() {
    return new TopicName(values.getString(ConnectorSettings.TOPIC));
  }

  String source() {
    return values.getString(ConnectorSettings.SOURCE);
  }

  int batchMessagesMax() {
    return values.getInt(ConnectorSettings.BATCH);
  }

  int recordBytesMax() {
    return values.getInt(ConnectorSettings.RECORD_BYTES);
  }

  String heartbeatTopic() {
    return values.getString(ConnectorSettings.HEARTBEATS);
  }

  /** Returns the settings of the client that looks topics up. */
  Map<String, Object> kafka() {
    return values.originalsWithPrefix(ConnectorSettings.KAFKA);
  }

  /** Returns whether topics are looked up: there is a Kafka, and Connect makes none itself. */
  boolean looksTopicsUp() {
    return values.getString(ConnectorSettings.BOOTSTRAP) != null
        && values.originals().keySet().stream()
            .noneMatch(name -> name.startsWith("topic.creation."));
  }
}
