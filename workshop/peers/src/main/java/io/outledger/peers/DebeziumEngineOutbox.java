// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.debezium.engine.format.Json;
import io.debezium.transforms.outbox.EventRouter;
import io.outledger.benchmarks.Sql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.FileOffsetBackingStore;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Debezium's engine in the application's own process: it follows the server's log from a
 * replication slot, and its router makes the inserts into the outbox table messages again.
 */
final class DebeziumEngineOutbox implements Application {

  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS outbox_event (
        id uuid PRIMARY KEY,
        aggregatetype varchar(255) NOT NULL,
        aggregateid varchar(255) NOT NULL,
        type varchar(255) NOT NULL,
        payload text NOT NULL);
      DO $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_publication WHERE pubname = 'outbox') THEN
          CREATE PUBLICATION outbox FOR TABLE outbox_event WITH (publish = 'insert');
        END IF;
      END $$\
      """;

  private static final String SLOT =
      """
      SELECT pg_create_logical_replication_slot('slot_' || current_database(), 'pgoutput')
       WHERE NOT EXISTS (SELECT 1 FROM pg_replication_slots WHERE database = current_database())\
      """;

  private static final String INSERT =
      "INSERT INTO outbox_event (id, aggregatetype, aggregateid, type, payload)"
          + " VALUES (?, 'orders', ?, 'order.placed', ?)";

  private final Site site;
  private final Settings settings;
  private final HikariDataSource pool;
  private final Path offsets;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final DebeziumEngine<?> engine;

  /**
   * How it is set up.
   *
   * @param isJson whether the engine hands over JSON, as in its documentation, and not the records
   *     of Kafka Connect, which are handed over in batches
   * @param properties other than the defaults
   */
  record Settings(boolean isJson, Map<String, String> properties) implements ApplicationFactory {

    static final Settings DEFAULT = new Settings(true, Map.of());

    /** Nothing is made into JSON, larger batches, and a look each 5 ms. */
    static final Settings BEST =
        new Settings(
            false,
            Map.of(
                "max.batch.size", "8192",
                "max.queue.size", "32768",
                "poll.interval.ms", "5"));

    @Override
    public Application open(Site site) throws Exception {
      Sql.run(site.dataSource(), TABLE);
      Sql.run(site.dataSource(), SLOT);
      return new DebeziumEngineOutbox(site, this);
    }
  }

  private DebeziumEngineOutbox(Site site, Settings settings) throws IOException {
    this.site = site;
    this.settings = settings;
    this.pool = site.pool(Site.CONNECTIONS_DEFAULT);
    this.offsets = Files.createTempFile("offsets", ".dat");
    this.engine = settings.isJson() ? jsonEngine() : recordEngine();
  }

  private DebeziumEngine<?> jsonEngine() {
    return DebeziumEngine.create(Json.class)
        .using(properties())
        .notifying((ChangeEvent<String, String> event) -> receive(unquoted(event.value())))
        .build();
  }

  private DebeziumEngine<?> recordEngine() {
    return DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
        .using(properties())
        .notifying(
            (List<RecordChangeEvent<SourceRecord>> events,
                DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer) -> {
              for (RecordChangeEvent<SourceRecord> event : events) {
                receive((String) event.record().value());
                committer.markProcessed(event);
              }
              committer.markBatchFinished();
            })
        .build();
  }

  private void receive(String payload) {
    site.receiver().receive(NumberedMessage.numberOf(payload));
  }

  private static String unquoted(String json) {
    return json.substring(1, json.length() - 1);
  }

  private Properties properties() {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setURL(site.jdbcUrl());
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "name",
            "outbox",
            "connector.class",
            PostgresConnector.class.getName(),
            "offset.storage",
            FileOffsetBackingStore.class.getName(),
            "offset.storage.file.filename",
            offsets.toString(),
            "topic.prefix",
            "outbox",
            "table.include.list",
            "public.outbox_event",
            "transforms",
            "outbox",
            "transforms.outbox.type",
            EventRouter.class.getName()));
    properties.putAll(
        Map.of(
            "database.hostname", "127.0.0.1",
            "database.port", Integer.toString(database.getPortNumbers()[0]),
            "database.user", String.valueOf(database.getUser()),
            "database.password", String.valueOf(database.getPassword()),
            "database.dbname", String.valueOf(database.getDatabaseName()),
            "slot.name", "slot_" + database.getDatabaseName()));
    properties.putAll(
        Map.of(
            "plugin.name", "pgoutput",
            "publication.name", "outbox",
            "publication.autocreate.mode", "disabled",
            "snapshot.mode", "no_data",
            "converter.schemas.enable", "false"));
    properties.putAll(settings.properties());
    return properties;
  }

  @Override
  public void commit(Business business, List<NumberedMessage> messages) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      business.run(connection);
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        for (NumberedMessage message : messages) {
          insert.setObject(1, UUID.randomUUID());
          insert.setString(2, message.key());
          insert.setString(3, message.payload());
          insert.addBatch();
        }
        insert.executeBatch();
      }
      connection.commit();
    }
  }

  @Override
  public void start() {
    thread.execute(engine);
  }

  /** The slot is told now and then how far it may forget; nothing waits for that. */
  @Override
  public boolean isSettled() {
    return true;
  }

  @Override
  public void close() {
    try {
      if (site.isPublishing()) {
        engine.close();
      }
      Background.close(thread);
      Files.deleteIfExists(offsets);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      pool.close();
    }
  }
}
