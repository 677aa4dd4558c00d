// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.ConnectSettings;
import io.outledger.servers.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A worker of Kafka Connect in a process of its own, which can be stopped and killed. */
final class ConnectWorker implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final HttpClient http = HttpClient.newHttpClient();
  private final String servers;
  private final String group;
  private final Map<String, String> settings;
  private final String classPath;
  private final int port = Ports.free();
  private ChildJvm child;

  private ConnectWorker(
      String servers, String group, Map<String, String> settings, String classPath) {
    this.servers = servers;
    this.group = group;
    this.settings = settings;
    this.classPath = classPath;
    this.child = launch();
  }

  /** Starts a worker of a group at a broker's address, with its own settings over ours. */
  static ConnectWorker start(
      String servers, String group, Map<String, String> settings, String classPath) {
    return new ConnectWorker(servers, group, settings, classPath);
  }

  private ChildJvm launch() {
    ChildJvm started =
        ChildJvm.of("org.apache.kafka.connect.cli.ConnectDistributed", classPath)
            .args(file().toString())
            .property("org.slf4j.simpleLogger.defaultLogLevel", "warn")
            .property("org.slf4j.simpleLogger.log.io.outledger", "info")
            .heapMib(300)
            .option("-XX:+UseSerialGC")
            .option("-XX:TieredStopAtLevel=1")
            .start();
    Await.until(
        () -> "the worker answers; its output:\n" + started.outputTail(),
        PATIENCE,
        () -> isUp(started));
    return started;
  }

  private boolean isUp(ChildJvm started) throws InterruptedException {
    if (!started.isAlive()) {
      throw new AssertionError("the worker ended:\n" + started.outputTail());
    }
    try {
      return http.send(request("/connectors").GET().build(), BodyHandlers.ofString()).statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private Path file() {
    Properties all = ConnectSettings.distributed(servers, group, port);
    ConnectSettings.noticeDeathSoon(all);
    all.put("offset.flush.interval.ms", "1000");
    all.putAll(settings);
    return ConnectSettings.file(all);
  }

  /** Makes a connector, or changes it; returns the answer. */
  HttpResponse<String> put(String connector, Map<String, String> config) {
    return send(
        request("/connectors/" + connector + "/config")
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(json(config)))
            .build());
  }

  /** Makes a connector; returns the answer, also a refusal since there is one of that name. */
  HttpResponse<String> create(String connector, Map<String, String> config) {
    HttpRequest request =
        request("/connectors")
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofString(
                    "{\"name\":" + quoted(connector) + ",\"config\":" + json(config) + "}"))
            .build();
    return send(
        request, answer -> answer.statusCode() != 409 || answer.body().contains("already exists"));
  }

  private static String json(Map<String, String> config) {
    return config.entrySet().stream()
        .map(each -> quoted(each.getKey()) + ":" + quoted(each.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** Asks for something, such as {@code /connectors/x/status}. */
  String get(String path) {
    return send(request(path).GET().build()).body();
  }

  /** Changes the offsets of a connector that is stopped; returns the answer, also a refusal. */
  HttpResponse<String> patchOffsets(String connector, String json) {
    HttpRequest request =
        request("/connectors/" + connector + "/offsets")
            .header("Content-Type", "application/json")
            .method("PATCH", BodyPublishers.ofString(json))
            .build();
    return send(request, answer -> answer.statusCode() != 409);
  }

  /** Does something without contents, such as {@code PUT /connectors/x/pause}. */
  HttpResponse<String> call(String method, String path) {
    return send(request(path).method(method, BodyPublishers.noBody()).build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofSeconds(60));
  }

  /** A worker that joins a group answers that it is busy, and is asked again. */
  private HttpResponse<String> send(HttpRequest request) {
    return send(request, answer -> answer.statusCode() != 409 && answer.statusCode() < 500);
  }

  private HttpResponse<String> send(
      HttpRequest request, Predicate<HttpResponse<String>> isAnswered) {
    AtomicReference<HttpResponse<String>> last = new AtomicReference<>();
    Await.until(
        () -> "the worker answers " + request + "; its output:\n" + outputAndStacks(),
        PATIENCE,
        () -> {
          HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
          last.set(answer);
          return isAnswered.test(answer);
        });
    return Objects.requireNonNull(last.get());
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Returns the end of what it has said. */
  String output() {
    return child.outputTail();
  }

  /** Returns that and what its threads do, of one that may hang; in a second. */
  String outputAndStacks() {
    return output() + "\n" + child.stacks();
  }

  /** Kills it by SIGKILL. */
  void kill() {
    child.kill();
  }

  /** Stops it cleanly. */
  void stop() {
    child.stop(PATIENCE);
  }

  /** Freezes it. */
  void suspend() {
    child.suspend();
  }

  /** Lets it go on. */
  void resume() {
    child.resume();
  }

  /** Starts it again. */
  void restart() {
    child = launch();
  }

  @Override
  public void close() {
    child.close();
  }
}
