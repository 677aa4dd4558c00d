// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
 * tasks.max}, but not more than there are slots. It does no I/O itself, so a database that is down
 * fails nothing.
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

  /** Checks all settings, also those of Connect that exactly-once rests on. */
  @Override
  public Config validate(Map<String, String> given) {
    return new Config(SettingsCheck.values(given));
  }

  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> given) {
    return ExactlyOnceSupport.SUPPORTED;
  }

  /** Says that a transaction is what a poll has returned, and nothing else. */
  @Override
  public ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> given) {
    return ConnectorTransactionBoundaries.UNSUPPORTED;
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
   * Checks offsets that an operator wants to set: an offset of the connector's form, or none. The
   * slot then starts there; with none it starts where the cursor's row stands. Whether the epoch is
   * the row's is not known before a task reads the row.
   *
   * @throws ConnectException if a partition or an offset does not have the form, or there is no
   *     such epoch
   */
  @Override
  public boolean alterOffsets(
      Map<String, String> given, Map<Map<String, ?>, Map<String, ?>> offsets) {
    SlotOffsets form = ConnectorOptions.of(given).offsets();
    offsets.forEach(
        (partition, offset) -> {
          boolean isSlot =
              partition != null
                  && IntStream.range(0, form.slots().count())
                      .anyMatch(slot -> form.partition(slot).equals(partition));
          if (!isSlot) {
            throw new ConnectException(
                "the source partition "
                    + partition
                    + " is none of this connector's: they are such as "
                    + form.partition(0));
          }
          SlotOffsets.entry(offset).ifPresent(entry -> requireEpoch(entry.epoch(), partition));
        });
    return true;
  }

  private static void requireEpoch(long epoch, Map<String, ?> partition) {
    if (epoch < 1) {
      throw new ConnectException(
          "there is no epoch "
              + epoch
              + ", so the offset of "
              + partition
              + " would not count: take the epoch that GET on the connector's offsets shows; to"
              + " begin elsewhere without it, move the subscription");
    }
  }

  @Override
  public void stop() {
    settings = Map.of();
  }
}
