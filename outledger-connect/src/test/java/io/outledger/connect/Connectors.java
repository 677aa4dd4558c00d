// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** The workers of one test, and the connector that they run. */
final class Connectors implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

  private final String servers;
  private final Consumer<String> topics;
  private final Shop shop;
  private final String group = "connect-" + UUID.randomUUID();
  private final String name = "shop-" + UUID.randomUUID();
  private final List<ConnectWorker> workers = new ArrayList<>();

  Connectors(KafkaBroker kafka, Shop shop) {
    this(kafka.bootstrapServers(), topic -> kafka.createTopic(topic, 1, Map.of()), shop);
  }

  /** The same at a broker's address, with what makes a topic of one partition. */
  Connectors(String servers, Consumer<String> topics, Shop shop) {
    this.servers = servers;
    this.topics = topics;
    this.shop = shop;
  }

  ConnectWorker worker() {
    return worker(Map.of());
  }

  ConnectWorker worker(Map<String, String> settings) {
    return worker(settings, System.getProperty("java.class.path"));
  }

  /** The same with a class path of its own. */
  ConnectWorker worker(Map<String, String> settings, String classPath) {
    ConnectWorker worker = ConnectWorker.start(servers, group, settings, classPath);
    workers.add(worker);
    return worker;
  }

  /** Returns a whole configuration, with choices over the defaults of these tests. */
  Map<String, String> config(Map<String, String> choices) {
    Map<String, String> config = new HashMap<>();
    config.put("connector.class", OutledgerSourceConnector.class.getName());
    config.put("exactly.once.support", "required");
    config.put("transaction.boundary", "connector");
    config.put("key.converter", BYTES);
    config.put("value.converter", BYTES);
    config.put("header.converter", BYTES);
    config.put("ledger", "shop");
    config.put("subscription", "kafka");
    config.put("database.url", shop.url());
    config.put("database.user", shop.postgres().user());
    config.put("database.password", shop.postgres().password());
    config.put("lease.ms", "2000");
    config.put("heartbeat.topic", heartbeats());
    config.put("kafka.bootstrap.servers", servers);
    config.putAll(choices);
    return config;
  }

  /** Makes the connector. */
  void put(ConnectWorker worker, Map<String, String> choices) {
    put(worker, choices, Map.of());
  }

  /** The same with further choices. */
  void put(ConnectWorker worker, Map<String, String> choices, Map<String, String> further) {
    Map<String, String> all = new HashMap<>(choices);
    all.putAll(further);
    topics.accept(heartbeats());
    HttpResponse<String> answer = tryPut(worker, all);
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
  }

  /** Tries to make the connector, and returns the answer. */
  HttpResponse<String> tryPut(ConnectWorker worker, Map<String, String> choices) {
    return worker.put(name, config(choices));
  }

  /** Deletes the connector, where it is there. */
  void delete(ConnectWorker worker) {
    worker.call("DELETE", "/connectors/" + name);
  }

  /** Returns what Connect tells of the connector. */
  String status(ConnectWorker worker) {
    return worker.get("/connectors/" + name + "/status");
  }

  /** Waits until so many messages have come in all, and sees that there are no more. */
  void awaitArrived(ConnectWorker worker, Consumed consumed, int count) {
    Await.until(
        () -> count + " messages arrive; " + status(worker) + worker.output(),
        PATIENCE,
        () -> consumed.read() >= count);
    assertThat(consumed.read()).isEqualTo(count);
  }

  /** Restarts the tasks that have failed, as an operator does. */
  void restartFailed(ConnectWorker worker) {
    worker.call("POST", "/connectors/" + name + "/restart?includeTasks=true&onlyFailed=true");
  }

  /** Returns the connector's name. */
  String name() {
    return name;
  }

  /** Returns the topic of its heartbeats. */
  String heartbeats() {
    return group + "-heartbeats";
  }

  /** Returns the topic of the source offsets of all connectors of these workers. */
  String offsets() {
    return group + "-offsets";
  }

  @Override
  public void close() {
    workers.forEach(ConnectWorker::close);
  }
}
