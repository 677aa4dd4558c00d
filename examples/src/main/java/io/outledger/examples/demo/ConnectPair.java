// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Two workers of Kafka Connect, as the one of them that runs the connector's task. Nothing that
 * they have in flight is published again: a transaction of Kafka has each message once.
 */
final class ConnectPair implements OrderPublisher {

  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
  private static final String HEARTBEATS = "demo-heartbeats";

  private final List<ConnectWorker> workers;
  private final KafkaDemoBroker kafka;
  private final Wiring wiring;
  private @Nullable ConnectWorker killed;

  ConnectPair(Wiring wiring, KafkaDemoBroker kafka) {
    this.wiring = wiring;
    this.kafka = kafka;
    this.workers =
        List.of(
            new ConnectWorker("connect-1", wiring.folder(), kafka.server().bootstrapServers()),
            new ConnectWorker("connect-2", wiring.folder(), kafka.server().bootstrapServers()));
  }

  @Override
  public void start(DemoShop.Listener listener) {
    long start = System.nanoTime();
    kafka.server().createTopic(HEARTBEATS, 1, Map.of("cleanup.policy", "compact"));
    workers.forEach(ConnectWorker::start);
    workers.get(0).put("orders", connector());
    listener.started(
        "connect-1, connect-2", "Kafka Connect, exactly-once; lease 2 s", DemoShop.ms(start));
  }

  private Map<String, String> connector() {
    Map<String, String> database = wiring.servers().database().settings("orders");
    return Map.ofEntries(
        Map.entry("connector.class", "io.outledger.connect.OutledgerSourceConnector"),
        Map.entry("exactly.once.support", "required"),
        Map.entry("transaction.boundary", "connector"),
        Map.entry("key.converter", BYTES),
        Map.entry("value.converter", BYTES),
        Map.entry("header.converter", BYTES),
        Map.entry("ledger", "orders"),
        Map.entry("subscription", Ledger.SUBSCRIPTION),
        Map.entry("source", "/orders"),
        Map.entry("topic", "demo-{topic}"),
        Map.entry("heartbeat.topic", HEARTBEATS),
        Map.entry("lease.ms", "2000"),
        Map.entry("kafka.bootstrap.servers", kafka.server().bootstrapServers()),
        Map.entry("database.url", setting(database, "database.url")),
        Map.entry("database.user", setting(database, "database.user")),
        Map.entry("database.password", setting(database, "database.password")));
  }

  private static String setting(Map<String, String> settings, String name) {
    return settings.getOrDefault(name, "");
  }

  @Override
  public String name() {
    return working().name();
  }

  @Override
  public long pid() {
    return working().pid();
  }

  @Override
  public long inFlight() throws SQLException {
    return working().hasTask("orders") ? wiring.orders().pending() : 0;
  }

  @Override
  public String inFlightText(long count) {
    return Words.count(count, "message") + " on the way";
  }

  @Override
  public List<Ledger> interrupts() {
    return List.of();
  }

  @Override
  public void kill() {
    ConnectWorker target = working();
    target.kill();
    killed = target;
  }

  @Override
  public void restart() {
    if (killed != null) {
      killed.start();
    }
  }

  @Override
  public void stop() {
    workers.forEach(ConnectWorker::stop);
  }

  private ConnectWorker working() {
    return workers.stream()
        .filter(worker -> worker.hasTask("orders"))
        .findFirst()
        .orElse(workers.get(0));
  }
}
