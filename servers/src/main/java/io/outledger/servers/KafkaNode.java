// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.OutputStream;
import java.io.PrintStream;
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
  private final KafkaRaftServer server;

  private KafkaNode(KafkaRaftServer server) {
    this.server = server;
  }

  /** Formats the folder if it is new, and returns when the node is up. */
  static KafkaNode start(Properties properties) {
    try {
      format(properties.getProperty("log.dirs"));
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

  private static void format(String folder) throws Exception {
    if (Files.exists(Path.of(folder, "meta.properties"))) {
      return;
    }
    Formatter formatter = new Formatter();
    formatter.setNodeId(1);
    formatter.setClusterId(Uuid.randomUuid().toString());
    formatter.setDirectories(List.of(folder));
    formatter.setMetadataLogDirectory(folder);
    formatter.setControllerListenerName("CONTROLLER");
    formatter.setPrintStream(
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    formatter.run();
  }
}
