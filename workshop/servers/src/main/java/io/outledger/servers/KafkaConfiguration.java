// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.net.BindException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a Kafka node, which is broker and controller at once unless they say otherwise.
 *
 * @param folder where it keeps its data
 * @param port for clients
 * @param controllerPort for itself
 * @param settings what the caller set over the defaults
 */
record KafkaConfiguration(Path folder, int port, int controllerPort, Map<String, String> settings) {
  private static final String HOST = "127.0.0.1:";

  KafkaConfiguration {
    settings = Map.copyOf(settings);
  }

  String bootstrapServers() {
    return HOST + port;
  }

  /**
   * Returns what is different in a second node of this one's cluster, which leaves being the
   * controller to it.
   *
   * @param clients the second node's port for clients
   */
  Map<String, String> ofCompanion(int clients) {
    return Map.of(
        "process.roles",
        "broker",
        "node.id",
        "2",
        "listeners",
        "CLIENT://" + HOST + clients,
        "controller.quorum.voters",
        "1@" + HOST + controllerPort,
        KafkaNode.CLUSTER_ID,
        KafkaNode.clusterId(properties()));
  }

  /** Returns what a controller has that is no broker, for {@link #ofCompanion}. */
  KafkaConfiguration ofControllerAlone() {
    return new KafkaConfiguration(
        folder.resolve("controller"),
        port,
        controllerPort,
        Map.of(
            "process.roles", "controller", "listeners", "CONTROLLER://" + HOST + controllerPort));
  }

  Properties properties() {
    Properties all = new Properties();
    all.putAll(node());
    all.putAll(small());
    all.putAll(settings);
    return all;
  }

  static boolean isPortTaken(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (cause instanceof BindException || message.contains("Address already in use")) {
        return true;
      }
    }
    return false;
  }

  private Map<String, String> node() {
    Map<String, String> node = new LinkedHashMap<>();
    node.put("process.roles", "broker,controller");
    node.put("node.id", "1");
    node.put("controller.quorum.voters", "1@" + HOST + controllerPort);
    node.put("listeners", "CLIENT://" + HOST + port + ",CONTROLLER://" + HOST + controllerPort);
    node.put("listener.security.protocol.map", "CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    node.put("controller.listener.names", "CONTROLLER");
    node.put("inter.broker.listener.name", "CLIENT");
    node.put("log.dirs", folder.resolve("data").toString());
    node.put("auto.create.topics.enable", "false");
    return node;
  }

  /** One replica of everything, few threads, little memory, no waiting for companions. */
  private static Map<String, String> small() {
    Map<String, String> small = new LinkedHashMap<>();
    small.put("offsets.topic.num.partitions", "1");
    small.put("offsets.topic.replication.factor", "1");
    small.put("transaction.state.log.num.partitions", "1");
    small.put("transaction.state.log.replication.factor", "1");
    small.put("transaction.state.log.min.isr", "1");
    small.put("share.coordinator.state.topic.num.partitions", "1");
    small.put("share.coordinator.state.topic.replication.factor", "1");
    small.put("share.coordinator.state.topic.min.isr", "1");
    small.put("group.initial.rebalance.delay.ms", "0");
    small.put("log.cleaner.dedupe.buffer.size", "2097152");
    // A killed broker may come back only when its session is over.
    small.put("broker.session.timeout.ms", "3000");
    small.put("broker.heartbeat.interval.ms", "500");
    small.put("num.network.threads", "2");
    small.put("num.io.threads", "4");
    small.put("background.threads", "2");
    return small;
  }
}
