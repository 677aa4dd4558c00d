// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.Await;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Debezium's connector for PostgreSQL with its outbox router over the ledger, set up as
 * docs/moving/debezium.md says, with larger batches and shorter waits than by default.
 */
final class DebeziumSide implements ConnectSide {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String BASE = "base";
  private static final String CREATE =
      "SELECT pg_create_logical_replication_slot('%s', 'pgoutput')";

  private final Postgres server;
  private final WaitingLedger ledger;
  private final MeasuredWorker worker;
  private String connector = "";

  private DebeziumSide(Postgres server, WaitingLedger ledger, MeasuredWorker worker) {
    this.server = server;
    this.ledger = ledger;
    this.worker = worker;
  }

  /** Has the server keep its log from here on: what is appended from now on can be drained. */
  static void keepLog(WaitingLedger ledger) throws SQLException {
    Sql.run(
        ledger.dataSource(),
        "CREATE PUBLICATION outledger FOR TABLE outledger_message WITH (publish = 'insert')");
    Sql.run(ledger.dataSource(), CREATE.formatted(BASE));
  }

  static DebeziumSide start(
      ConnectPlan plan, Postgres server, WaitingLedger ledger, KafkaProcess broker)
      throws IOException {
    return new DebeziumSide(
        server, ledger, MeasuredWorker.start(plan.module(), broker.bootstrapServers(), "debezium"));
  }

  @Override
  public String name() {
    return "debezium";
  }

  @Override
  public String text() {
    return "Debezium's connector";
  }

  @Override
  public long pid() {
    return worker.pid();
  }

  @Override
  public void begin(String turn, String topic, boolean isBacklog) throws SQLException {
    connector = turn;
    Sql.run(
        ledger.dataSource(),
        isBacklog
            ? "SELECT pg_copy_logical_replication_slot('%s', '%s')".formatted(BASE, slot())
            : CREATE.formatted(slot()));
    Map<String, String> config = new HashMap<>(source());
    config.putAll(router(topic));
    config.putAll(Map.of("max.batch.size", "8192", "max.queue.size", "32768"));
    config.put("poll.interval.ms", "5");
    config.putAll(MeasuredWorker.PRODUCER);
    worker.put(turn, config);
  }

  private Map<String, String> source() throws SQLException {
    Map<String, String> config = new HashMap<>();
    config.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    config.put("tasks.max", "1");
    config.put("exactly.once.support", "required");
    config.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
    config.put("value.converter", "io.debezium.converters.BinaryDataConverter");
    config.put("topic.prefix", connector);
    config.put("database.hostname", "127.0.0.1");
    config.put("database.port", Integer.toString(server.port()));
    config.put("database.user", server.user());
    config.put("database.password", server.password());
    config.put("database.dbname", ledger.text("SELECT current_database()"));
    config.put("plugin.name", "pgoutput");
    config.put("publication.name", "outledger");
    config.put("publication.autocreate.mode", "disabled");
    config.put("slot.name", slot());
    config.put("snapshot.mode", "no_data");
    config.put("table.include.list", "public.outledger_message");
    config.put("binary.handling.mode", "bytes");
    return config;
  }

  private static Map<String, String> router(String topic) {
    String router = "transforms.outbox.";
    return Map.of(
        "transforms",
        "outbox",
        router + "type",
        "io.debezium.transforms.outbox.EventRouter",
        router + "table.field.event.id",
        "id",
        router + "table.field.event.key",
        "message_key",
        router + "table.field.event.payload",
        "payload",
        router + "route.by.field",
        "topic",
        router + "route.topic.replacement",
        topic,
        router + "table.fields.additional.placement",
        "type:header:ce_type,version:header:ce_dataversion,position:header:ce_sequence");
  }

  private String slot() {
    return connector.replace('-', '_');
  }

  @Override
  public void check() {
    worker.check(connector);
  }

  /** Drops the slot, too: nobody would tell the server that it need not keep its log. */
  @Override
  public void end() throws SQLException {
    worker.delete(connector);
    String slots = " FROM pg_replication_slots WHERE slot_name = '" + slot() + "'";
    Await.until(
        "the slot is left",
        PATIENCE,
        () -> ledger.number("SELECT count(*)" + slots + " AND active") == 0);
    Sql.run(ledger.dataSource(), "SELECT pg_drop_replication_slot(slot_name)" + slots);
  }

  @Override
  public void close() {
    worker.close();
  }
}
