// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/** The settings of a worker of Kafka Connect, distributed and with exactly-once. */
public final class ConnectSettings {

  private static final String JSON = "org.apache.kafka.connect.json.JsonConverter";

  private ConnectSettings() {}

  /**
   * Returns those that any worker on this machine needs, to be changed by the caller.
   *
   * @param bootstrapServers where the brokers are; topics have one replica
   * @param group the name of the group; the topics of the workers begin with it
   * @param port for requests, on the loopback interface
   * @return new settings
   */
  public static Properties distributed(String bootstrapServers, String group, int port) {
    Properties all = new Properties();
    all.put("bootstrap.servers", bootstrapServers);
    all.put("group.id", group);
    for (String topic : List.of("config", "offset", "status")) {
      all.put(topic + ".storage.topic", group + "-" + topic + "s");
      all.put(topic + ".storage.replication.factor", "1");
    }
    all.put("offset.storage.partitions", "1");
    all.put("status.storage.partitions", "1");
    all.put("key.converter", JSON);
    all.put("value.converter", JSON);
    all.put("exactly.once.source.support", "enabled");
    all.put("plugin.discovery", "service_load");
    all.put("listeners", "HTTP://127.0.0.1:" + port);
    return all;
  }

  /** Has a worker that was killed be followed at once, as tests and demonstrations need it. */
  public static void noticeDeathSoon(Properties settings) {
    settings.put("scheduled.rebalance.max.delay.ms", "0");
    settings.put("session.timeout.ms", "6000");
    settings.put("heartbeat.interval.ms", "1000");
  }

  /**
   * Writes settings into a file that is deleted when this JVM ends.
   *
   * @return the file, which a worker is started with
   */
  public static Path file(Properties settings) {
    try {
      Path file = Files.createTempFile("worker", ".properties");
      file.toFile().deleteOnExit();
      try (BufferedWriter out = Files.newBufferedWriter(file)) {
        settings.store(out, null);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
