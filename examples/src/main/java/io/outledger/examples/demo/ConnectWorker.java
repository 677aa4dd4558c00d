// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.ConnectSettings;
import io.outledger.servers.Ports;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A worker of Kafka Connect in a JVM of its own, asked over its REST interface. */
final class ConnectWorker {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
  private static final int HEAP_MIB = 256;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final String name;
  private final Path folder;
  private final String bootstrapServers;
  private final int port = Ports.free();
  private @Nullable ChildJvm child;

  ConnectWorker(String name, Path folder, String bootstrapServers) {
    this.name = name;
    this.folder = folder;
    this.bootstrapServers = bootstrapServers;
  }

  String name() {
    return name;
  }

  long pid() {
    return running().pid();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Starts it, and returns when it answers. */
  void start() {
    ChildJvm started =
        ChildJvm.of("org.apache.kafka.connect.cli.ConnectDistributed", classPath())
            .args(settings().toString())
            .heapMib(HEAP_MIB)
            .option("-XX:+UseSerialGC")
            .option("-XX:TieredStopAtLevel=1")
            .property("java.io.tmpdir", folder.toString())
            .property("org.slf4j.simpleLogger.defaultLogLevel", "warn")
            .property("org.slf4j.simpleLogger.log.io.outledger", "info")
            .property("org.slf4j.simpleLogger.showDateTime", "true")
            .property("org.slf4j.simpleLogger.dateTimeFormat", "HH:mm:ss.SSS")
            .outputFile(folder.resolve(name + ".log"))
            .start();
    child = started;
    Await.until(
        () -> name + " answers; its output:\n" + started.outputTail(),
        PATIENCE,
        () -> answers(started));
  }

  private boolean answers(ChildJvm started) throws IOException, InterruptedException {
    if (!started.isAlive()) {
      throw new IllegalStateException(name + " ended:\n" + started.outputTail());
    }
    return get("/connectors") != null;
  }

  private static String classPath() {
    Path home = Path.of(System.getProperty("outledger.home", ".."));
    Path module = home.resolve("outledger-connect").resolve("target");
    try {
      return module.resolve("classes")
          + File.pathSeparator
          + Files.readString(module.resolve("worker-class-path")).strip();
    } catch (IOException e) {
      throw new IllegalStateException("outledger-connect is not built: " + e.getMessage(), e);
    }
  }

  private Path settings() {
    Properties all = ConnectSettings.distributed(bootstrapServers, "demo-connect", port);
    ConnectSettings.noticeDeathSoon(all);
    return ConnectSettings.file(all);
  }

  /**
   * Makes a connector; a worker that joins its group answers that it is busy, and is asked again.
   */
  void put(String connector, Map<String, String> config) {
    HttpRequest request =
        request("/connectors/" + connector + "/config")
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(json(config)))
            .timeout(PATIENCE)
            .build();
    Await.until(
        () -> name + " takes the connector; its output:\n" + running().outputTail(),
        PATIENCE,
        () -> {
          HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
          if (answer.statusCode() == 400) {
            throw new IllegalStateException(answer.body());
          }
          return answer.statusCode() < 300;
        });
  }

  /** Returns whether the task of a connector runs in it, as it says itself. */
  boolean hasTask(String connector) {
    if (child == null || !child.isAlive()) {
      return false;
    }
    try {
      String status = get("/connectors/" + connector + "/status");
      if (status == null) {
        return false;
      }
      JsonNode task = JSON.readTree(status).path("tasks").path(0);
      return task.path("state").asText().equals("RUNNING")
          && task.path("worker_id").asText().endsWith(":" + port);
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Asks, and returns the answer; null where it has none yet. */
  private @Nullable String get(String path) throws IOException, InterruptedException {
    try {
      HttpResponse<String> answer = http.send(request(path).GET().build(), BodyHandlers.ofString());
      return answer.statusCode() == 200 ? answer.body() : null;
    } catch (ConnectException | HttpTimeoutException e) {
      return null;
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri().resolve(path)).timeout(ANSWER_MAX);
  }

  private static String json(Map<String, String> config) {
    try {
      return JSON.writeValueAsString(config);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  void kill() {
    running().kill();
  }

  /** Asks it to end, if it runs. */
  void stop() {
    if (child != null && child.isAlive()) {
      child.stop(PATIENCE);
    }
  }

  private ChildJvm running() {
    if (child == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return child;
  }
}
