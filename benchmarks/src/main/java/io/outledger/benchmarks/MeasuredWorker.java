// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.ConnectSettings;
import io.outledger.servers.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/** A worker of Kafka Connect, distributed and with exactly-once, in a process of its own. */
final class MeasuredWorker implements AutoCloseable {

  /** The heap of every side's process, and its collector. */
  static final int HEAP_MIB = 256;

  static final String COLLECTOR = "-XX:+UseSerialGC";

  /**
   * Kafka Connect's producers have one request on its way, which has a batch of each partition:
   * with batches of 16 KiB, as by default, sending waits for answers. With exactly-once five on
   * their way keep the order, too.
   */
  static final Map<String, String> PRODUCER =
      Map.of(
          "producer.override.batch.size", "524288",
          "producer.override.max.in.flight.requests.per.connection", "5");

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ChildJvm child;
  private final Rest rest;

  private MeasuredWorker(ChildJvm child, Rest rest) {
    this.child = child;
    this.rest = rest;
  }

  /** Starts one that is alone in its group. */
  static MeasuredWorker start(Path module, String bootstrapServers, String group)
      throws IOException {
    int port = Ports.free();
    ChildJvm child =
        ChildJvm.of(
                "org.apache.kafka.connect.cli.ConnectDistributed",
                Files.readString(module.resolve("target").resolve("class-path")).strip())
            .args(settings(bootstrapServers, group, port).toString())
            .property("org.slf4j.simpleLogger.defaultLogLevel", "warn")
            .heapMib(HEAP_MIB)
            .option(COLLECTOR)
            .start();
    Rest rest = new Rest(port, child::outputTail);
    Await.until(
        () -> "the worker answers; its output:\n" + child.outputTail(),
        PATIENCE,
        () -> {
          if (!child.isAlive()) {
            throw new AssertionError("the worker ended:\n" + child.outputTail());
          }
          return rest.isUp("/connectors");
        });
    return new MeasuredWorker(child, rest);
  }

  private static Path settings(String bootstrapServers, String group, int port) {
    Properties all = ConnectSettings.distributed(bootstrapServers, group, port);
    all.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
    all.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
    return ConnectSettings.file(all);
  }

  long pid() {
    return child.pid();
  }

  /** Makes a connector, which begins at once. */
  void put(String connector, Map<String, String> config) {
    String json = JSON.valueToTree(config).toString();
    rest.require("PUT", "/connectors/" + connector + "/config", json);
  }

  /** Throws if the connector or its task has failed. */
  void check(String connector) {
    if (!child.isAlive()) {
      throw new IllegalStateException("the worker ended:\n" + child.outputTail());
    }
    if (rest.isUp(path(connector))) {
      String status = rest.require("GET", path(connector));
      if (status.contains("\"FAILED\"")) {
        throw new IllegalStateException(status + "\n" + child.outputTail());
      }
    }
  }

  private static String path(String connector) {
    return "/connectors/" + connector + "/status";
  }

  void delete(String connector) {
    rest.require("DELETE", "/connectors/" + connector);
  }

  @Override
  public void close() {
    child.close();
  }
}
