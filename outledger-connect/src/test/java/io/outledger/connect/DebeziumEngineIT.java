// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debezium's embedded engine runs the connector, without any Kafka. */
final class DebeziumEngineIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Shop shop = new Shop(Postgres.shared());
  private final Queue<SourceRecord> taken = new ConcurrentLinkedQueue<>();
  private final AtomicReference<String> ended = new AtomicReference<>();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @TempDir private Path folder;

  @AfterEach
  void close() {
    shop.close();
    thread.shutdownNow();
  }

  @Test
  void theEngineGetsEveryMessageInTheOrderOfItsKeyAlsoAfterARestart() throws Exception {
    shop.write(2, "orders", 7);
    runUntil(300);
    runUntil(messages().size() + 300);
    shop.finish();
    runUntil(-1);

    Map<String, Integer> next = new HashMap<>();
    for (SourceRecord each : messages()) {
      String key = new String((byte[]) each.key(), UTF_8);
      int number = Integer.parseInt(header(each, "number"));
      int due = next.getOrDefault(key, 0);
      // At least once: some of the last may come again, and none is left out.
      assertThat(number).as(key).isLessThanOrEqualTo(due);
      next.put(key, number + 1);
    }
    assertThat(distinct()).isEqualTo(shop.appended());
  }

  /** Runs an engine until so many messages have come; until all have where it is negative. */
  private void runUntil(int wanted) throws IOException {
    try (DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> engine =
        DebeziumEngine.create(Connect.class)
            .using(settings())
            .using((success, message, error) -> ended.set(message + " " + error))
            .notifying(this::take)
            .build()) {
      thread.execute(engine);
      Await.until(
          () -> "messages come; there are " + distinct() + "; ended: " + ended.get(),
          PATIENCE,
          () -> wanted < 0 ? distinct() == shop.appended() : messages().size() >= wanted);
    }
  }

  private void take(
      List<ChangeEvent<SourceRecord, SourceRecord>> batch,
      DebeziumEngine.RecordCommitter<ChangeEvent<SourceRecord, SourceRecord>> committer)
      throws InterruptedException {
    for (ChangeEvent<SourceRecord, SourceRecord> each : batch) {
      taken.add(Objects.requireNonNull(each.value()));
      committer.markProcessed(each);
    }
    committer.markBatchFinished();
  }

  private Properties settings() {
    Properties settings = new Properties();
    settings.put("name", "shop");
    settings.put("connector.class", OutledgerSourceConnector.class.getName());
    settings.put("tasks.max", "1");
    settings.put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    settings.put("offset.storage.file.filename", folder.resolve("offsets").toString());
    settings.put("offset.flush.interval.ms", "100");
    settings.put("delivery", "at-least-once");
    settings.put("ledger", "shop");
    settings.put("subscription", "engine");
    settings.put("database.url", shop.url());
    settings.put("database.user", shop.postgres().user());
    settings.put("database.password", shop.postgres().password());
    settings.put("lease.ms", "2000");
    return settings;
  }

  private List<SourceRecord> messages() {
    return taken.stream().filter(each -> each.topic().equals("orders")).toList();
  }

  private long distinct() {
    return messages().stream().map(each -> header(each, "ce_id")).distinct().count();
  }

  private static String header(SourceRecord record, String name) {
    return new String((byte[]) record.headers().lastWithName(name).value(), UTF_8);
  }
}
