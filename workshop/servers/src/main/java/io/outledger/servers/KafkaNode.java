// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A Kafka node that runs in this JVM. Not thread-safe. */
final class KafkaNode {
  /** Of the cluster that a node belongs to; a new one where it is not among the properties. */
  static final String CLUSTER_ID = "cluster.id";

  private static final String META = "meta.properties";

  private final KafkaRaftServer server;

  private KafkaNode(KafkaRaftServer server) {
    this.server = server;
  }

  /** Formats the folder if it is new, and returns when the node is up. */
  static KafkaNode start(Properties properties) {
    try {
      format(properties);
      KafkaRaftServer server =
          new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
      startUp(server);
      return new KafkaNode(server);
    } catch (Exception e) {
      throw new IllegalStateException("Kafka did not start: " + origin(e), e);
    }
  }

  private static void startUp(KafkaRaftServer server) {
    try {
      server.startup();
    } catch (RuntimeException e) {
      server.shutdown(); // else the half that did start would run on
      throw e;
    }
  }

  void stop() {
    server.shutdown();
    server.awaitShutdown();
  }

  void awaitStop() {
    server.awaitShutdown();
  }

  private static Throwable origin(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure : origin(cause);
  }

  /** Returns the id of the cluster of a node that has been started. */
  static String clusterId(Properties properties) {
    Properties meta = new Properties();
    try (BufferedReader in = Files.newBufferedReader(Path.of(folder(properties), META))) {
      meta.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return meta.getProperty(CLUSTER_ID);
  }

  private static String folder(Properties properties) {
    return properties.getProperty("log.dirs");
  }

  private static void format(Properties properties) throws Exception {
    String folder = folder(properties);
    if (Files.exists(Path.of(folder, META))) {
      return;
    }
    Formatter formatter = new Formatter();
    formatter.setNodeId(Integer.parseInt(properties.getProperty("node.id")));
    formatter.setClusterId(properties.getProperty(CLUSTER_ID, Uuid.randomUuid().toString()));
    formatter.setDirectories(List.of(folder));
    formatter.setMetadataLogDirectory(folder);
    formatter.setControllerListenerName("CONTROLLER");
    formatter.setPrintStream(
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    formatter.run();
  }
}
