// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Our connector with one task, set up as docs/connect.md says. */
final class OutledgerConnectorSide implements ConnectSide {

  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

  private final Postgres server;
  private final WaitingLedger ledger;
  private final KafkaProcess broker;
  private final MeasuredWorker worker;
  private final String heartbeats = "heartbeats-" + UUID.randomUUID();
  private String connector = "";

  private OutledgerConnectorSide(
      Postgres server, WaitingLedger ledger, KafkaProcess broker, MeasuredWorker worker) {
    this.server = server;
    this.ledger = ledger;
    this.broker = broker;
    this.worker = worker;
  }

  static OutledgerConnectorSide start(
      ConnectPlan plan, Postgres server, WaitingLedger ledger, KafkaProcess broker)
      throws IOException {
    MeasuredWorker worker =
        MeasuredWorker.start(plan.module(), broker.bootstrapServers(), "outledger");
    OutledgerConnectorSide side = new OutledgerConnectorSide(server, ledger, broker, worker);
    broker.createTopic(side.heartbeats, 1, Map.of("cleanup.policy", "compact"));
    return side;
  }

  @Override
  public String name() {
    return "connector";
  }

  @Override
  public String text() {
    return "our connector";
  }

  @Override
  public long pid() {
    return worker.pid();
  }

  @Override
  public void begin(String turn, String topic, boolean isBacklog) {
    connector = turn;
    Map<String, String> config = new HashMap<>();
    config.put("connector.class", "io.outledger.connect.OutledgerSourceConnector");
    config.put("tasks.max", "1");
    config.put("exactly.once.support", "required");
    config.put("transaction.boundary", "connector");
    config.put("key.converter", BYTES);
    config.put("value.converter", BYTES);
    config.put("header.converter", BYTES);
    config.put("ledger", "shop");
    config.put("subscription", turn);
    config.put("start", isBacklog ? "earliest" : "now");
    config.put("database.url", ledger.jdbcUrl().replaceAll("\\?.*", ""));
    config.put("database.user", server.user());
    config.put("database.password", server.password());
    config.put("topic", topic);
    config.put("heartbeat.topic", heartbeats);
    config.put("kafka.bootstrap.servers", broker.bootstrapServers());
    config.putAll(MeasuredWorker.PRODUCER);
    worker.put(turn, config);
  }

  @Override
  public void check() {
    worker.check(connector);
  }

  @Override
  public void end() {
    worker.delete(connector);
  }

  @Override
  public void close() {
    worker.close();
  }
}
