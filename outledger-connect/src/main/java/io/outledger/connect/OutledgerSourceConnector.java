// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * Reads a subscription of a ledger into Kafka, exactly once where the workers support it. Kafka
 * Connect makes it by its class name, configures it and asks it for tasks: as many as {@code
 * tasks.max}, but not more than there are slots. It does no I/O itself, except when somebody
 * validates a configuration or changes its offsets: a database that is down fails nothing else.
 */
public final class OutledgerSourceConnector extends SourceConnector {

  private Map<String, String> settings = Map.of();

  /** Called by Kafka Connect. */
  public OutledgerSourceConnector() {}

  @Override
  public String version() {
    String version = OutledgerSourceConnector.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  @Override
  public ConfigDef config() {
    return ConnectorSettings.definition();
  }

  /**
   * Checks all settings, also those of Connect that exactly-once rests on, and where they are valid
   * tries the database and Kafka with them. That takes some seconds at most. Connect asks for it
   * before it accepts a configuration, not when it starts or restarts a connector.
   */
  @Override
  public Config validate(Map<String, String> given) {
    return new Config(SettingsCheck.tried(given));
  }

  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> given) {
    return ExactlyOnceSupport.SUPPORTED;
  }

  /** A task says after which record to commit: after the last one that a poll has returned. */
  @Override
  public ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> given) {
    return ConnectorTransactionBoundaries.SUPPORTED;
  }

  /**
   * {@inheritDoc}
   *
   * @throws ConnectException naming everything that is wrong with the settings
   */
  @Override
  public void start(Map<String, String> given) {
    SettingsCheck.require(given);
    settings = Map.copyOf(given);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return OutledgerSourceTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    int slots = ConnectorOptions.of(settings).slots().count();
    int tasks = Math.min(maxTasks, slots);
    List<Map<String, String>> configs = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      List<String> mine = new ArrayList<>();
      for (int slot = task; slot < slots; slot += tasks) {
        mine.add(String.valueOf(slot));
      }
      Map<String, String> config = new HashMap<>(settings);
      config.put(OutledgerSourceTask.SLOTS, String.join(",", mine));
      configs.add(config);
    }
    return configs;
  }

  /**
   * Checks offsets that an operator wants to set: an offset of the connector's form and of the
   * epoch in which the subscription is, or none. The slot then starts there; with none it starts
   * where the cursor's row stands. Reads the database.
   *
   * @throws ConnectException if a partition or an offset does not have the form, an offset would
   *     not count, or the database cannot be read
   */
  @Override
  public boolean alterOffsets(
      Map<String, String> given, Map<Map<String, ?>, Map<String, ?>> offsets) {
    OffsetChange.of(ConnectorOptions.of(given), offsets).requireThatItCounts();
    return true;
  }

  @Override
  public void stop() {
    settings = Map.of();
  }
}
