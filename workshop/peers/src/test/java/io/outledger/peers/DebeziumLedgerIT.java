// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Debezium's router reads the ledger, set up as docs/moving/debezium.md says. */
final class DebeziumLedgerIT {

  private static final Path PAGE = Path.of("..", "..", "docs", "moving", "debezium.md");
  private static final int TRANSACTIONS = 150;

  private final Postgres server = Postgres.start();
  private final PGSimpleDataSource database = new PGSimpleDataSource();
  private final Queue<SourceRecord> taken = new ConcurrentLinkedQueue<>();
  private final AtomicReference<String> ended = new AtomicReference<>();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @TempDir private Path folder;

  @AfterEach
  void close() {
    thread.shutdownNow();
    server.close();
  }

  @Test
  void everyCommittedMessageArrivesAsItStandsInTheOrderOfItsKey() throws Exception {
    database.setURL(server.jdbcUrl(server.createDatabase()));
    Schema.of(database).apply(database);
    execute(block("sql", "-- Let Debezium read the ledger."));
    try (Outledger outledger = Outledger.builder(database).withoutRetention().build();
        DebeziumEngine<RecordChangeEvent<SourceRecord>> engine = engine()) {
      thread.execute(engine);
      List<Message> committed = write(outledger);
      Await.until(
          () -> taken.size() + " of " + committed.size() + "; ended: " + ended.get(),
          Duration.ofSeconds(90),
          () -> taken.size() >= committed.size());

      Map<String, Message> byId = new HashMap<>();
      committed.forEach(message -> byId.put(message.id().toString(), message));
      assertThat(taken).hasSameSizeAs(committed);
      for (SourceRecord each : taken) {
        Message message = byId.remove(header(each, "id"));
        assertThat(message).isNotNull();
        assertThat(each.topic()).isEqualTo(message.topic());
        assertThat(each.key()).isEqualTo(message.key());
        assertThat(bytes(each)).isEqualTo(message.payload());
        assertThat(header(each, "ce_type")).isEqualTo(message.type());
      }
      assertThat(numbersOf(taken.stream().toList(), "a")).isSorted();
    }
  }

  private List<Message> write(Outledger outledger) throws SQLException {
    List<Message> committed = new ArrayList<>();
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < TRANSACTIONS; i++) {
        Message first = message("a", i);
        Message second = message(i % 3 == 0 ? null : "b", i);
        outledger.outbox().append(connection, first, second);
        if (i % 10 == 9) {
          connection.rollback();
        } else {
          connection.commit();
          committed.add(first);
          committed.add(second);
        }
      }
    }
    return committed;
  }

  private static Message message(@Nullable String key, int number) {
    Message.Builder message =
        Message.to("shop.orders", "order.placed").payload(new byte[] {(byte) number, 0, -1});
    return (key == null ? message : message.key(key)).build();
  }

  private static List<Integer> numbersOf(List<SourceRecord> records, String key) {
    return records.stream()
        .filter(each -> key.equals(each.key()))
        .map(each -> bytes(each)[0] & 0xff)
        .toList();
  }

  private static byte[] bytes(SourceRecord record) {
    ByteBuffer value = ((ByteBuffer) record.value()).duplicate();
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    return bytes;
  }

  private DebeziumEngine<RecordChangeEvent<SourceRecord>> engine() throws IOException {
    Properties settings = new Properties();
    settings.load(new StringReader(block("properties", "connector.class=")));
    settings.put("name", "ledger");
    settings.put("topic.prefix", "ledger");
    settings.put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    settings.put("offset.storage.file.filename", folder.resolve("offsets").toString());
    settings.put("database.hostname", "127.0.0.1");
    settings.put("database.port", Integer.toString(server.port()));
    settings.put("database.user", server.user());
    settings.put("database.password", server.password());
    settings.put("database.dbname", String.valueOf(database.getDatabaseName()));
    return DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
        .using(settings)
        .using((success, message, error) -> ended.set(message + " " + error))
        .notifying(
            (List<RecordChangeEvent<SourceRecord>> events,
                DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer) -> {
              for (RecordChangeEvent<SourceRecord> event : events) {
                taken.add(event.record());
                committer.markProcessed(event);
              }
              committer.markBatchFinished();
            })
        .build();
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String each : sql.split(";\n", -1)) { // a slot wants a transaction of its own
        statement.execute(each);
      }
    }
  }

  /** Returns the block of the page that begins so. */
  private static String block(String language, String beginning) throws IOException {
    Matcher blocks =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    while (blocks.find()) {
      if (blocks.group(1).startsWith(beginning)) {
        return blocks.group(1);
      }
    }
    throw new AssertionError("the page has no block that begins with " + beginning);
  }

  private static String header(SourceRecord record, String name) {
    Object value = record.headers().lastWithName(name).value();
    return value instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(value);
  }
}
