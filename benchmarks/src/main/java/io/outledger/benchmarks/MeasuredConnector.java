// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Ports;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/**
 * The connector with one task, exactly-once, in a worker of Kafka Connect that is a JVM of its own
 * with a heap of {@value #HEAP_MIB} MiB.
 */
final class MeasuredConnector implements AutoCloseable {

  static final int HEAP_MIB = 256;

  private static final String NAME = "benchmark";
  private static final String HEARTBEATS = "benchmark-heartbeats";
  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int HTTP_OK_MAX = 299;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final int port = Ports.free();
  private final KafkaProcess broker;
  private final ChildJvm worker;

  private MeasuredConnector(KafkaProcess broker, Path folder) throws IOException {
    this.broker = broker;
    this.worker =
        ChildJvm.of("org.apache.kafka.connect.cli.ConnectDistributed", classPath())
            .args(settings(folder).toString())
            .heapMib(HEAP_MIB)
            .option("-XX:+UseSerialGC")
            .property("java.io.tmpdir", folder.toString())
            .property("org.slf4j.simpleLogger.defaultLogLevel", "error")
            .outputFile(folder.resolve("worker.log"))
            .start();
  }

  /** Starts the worker, and returns when it answers. */
  static MeasuredConnector start(KafkaProcess broker, Path folder) throws IOException {
    broker.createTopic(HEARTBEATS, 1, Map.of("cleanup.policy", "compact"));
    MeasuredConnector started = new MeasuredConnector(broker, folder);
    Await.until(
        () -> "the worker answers; its output:\n" + started.worker.outputTail(),
        PATIENCE,
        () -> started.asks("GET", "/connectors", "") <= HTTP_OK_MAX);
    return started;
  }

  private static String classPath() throws IOException {
    Path module = Path.of("outledger-connect", "target");
    return module.resolve("classes")
        + File.pathSeparator
        + Files.readString(module.resolve("worker-class-path")).strip();
  }

  private Path settings(Path folder) throws IOException {
    Properties all = new Properties();
    all.put("bootstrap.servers", broker.bootstrapServers());
    all.put("group.id", "benchmark-connect");
    for (String topic : new String[] {"config", "offset", "status"}) {
      all.put(topic + ".storage.topic", "benchmark-connect-" + topic + "s");
      all.put(topic + ".storage.replication.factor", "1");
    }
    all.put("offset.storage.partitions", "1");
    all.put("status.storage.partitions", "1");
    all.put("key.converter", BYTES);
    all.put("value.converter", BYTES);
    all.put("exactly.once.source.support", "enabled");
    all.put("plugin.discovery", "service_load");
    all.put("listeners", "HTTP://127.0.0.1:" + port);
    Path file = folder.resolve("worker.properties");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      all.store(out, null);
    }
    return file;
  }

  long pid() {
    return worker.pid();
  }

  /** Returns the most memory that the worker's process has had at once, its heap and all else. */
  double mostMib() throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid() + "/status")).stream()
            .filter(line -> line.startsWith("VmHWM:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
            .sum()
        / 1024.0;
  }

  /** Has it read a subscription of a ledger into a topic, from the earliest message on. */
  void read(WaitingLedger ledger, String subscription, String topic) {
    String config =
        json(
            Map.ofEntries(
                Map.entry("connector.class", "io.outledger.connect.OutledgerSourceConnector"),
                Map.entry("tasks.max", "1"),
                Map.entry("exactly.once.support", "required"),
                Map.entry("key.converter", BYTES),
                Map.entry("value.converter", BYTES),
                Map.entry("header.converter", BYTES),
                Map.entry("ledger", "benchmark"),
                Map.entry("subscription", subscription),
                Map.entry("topic", topic),
                Map.entry("heartbeat.topic", HEARTBEATS),
                Map.entry("lease.ms", "2000"),
                Map.entry("kafka.bootstrap.servers", broker.bootstrapServers()),
                Map.entry("database.url", ledger.jdbcUrl())));
    Await.until(
        () -> "the worker takes the connector; its output:\n" + worker.outputTail(),
        PATIENCE,
        () -> asks("PUT", "/connectors/" + NAME + "/config", config) <= HTTP_OK_MAX);
  }

  /** Removes the connector; the worker stays. */
  void forget() {
    Await.until(
        () -> "the worker lets go of the connector; its output:\n" + worker.outputTail(),
        PATIENCE,
        () -> asks("DELETE", "/connectors/" + NAME, "") <= HTTP_OK_MAX);
  }

  private int asks(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() == 400) {
        throw new IllegalStateException(answer.body());
      }
      return answer.statusCode();
    } catch (ConnectException e) { // it does not listen yet
      return Integer.MAX_VALUE;
    }
  }

  private static String json(Map<String, String> config) {
    try {
      return JSON.writeValueAsString(config);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    worker.close();
  }
}
