// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.servers.PgBouncer;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Everything through a pooler, in the mode that a relay needs and in the one that it does not. */
class PgBouncerIT {

  private static final int CONNECTIONS = 6;
  private static final int THREADS = 4;
  private static final int EACH = 100;

  @Test
  void relayAndNastyWritersShareAPoolerInSessionMode() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    try (PgBouncer pooler = pooler(database, PgBouncer.Mode.SESSION);
        LiveRelay live = new LiveRelay(database, through(pooler, database), options -> {})) {
      List<String> committed = NastyWriters.run(live);
      live.awaitNothingOpen();
      assertThat(live.published()).containsAll(committed).doesNotHaveDuplicates();
      live.assertEveryNumberIsAccountedFor();
    }
  }

  @Test
  void applicationWorksInTransactionModeWhileItsRelayConnectsDirectly() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    database.execute("CREATE TABLE effect (id text)");
    RecordingPublisher publisher = new RecordingPublisher();
    try (PgBouncer pooler = pooler(database, PgBouncer.Mode.TRANSACTION);
        Outledger outledger =
            Outledger.builder(through(pooler, database))
                .relayDataSource(database.dataSource())
                .build();
        RunningRelay relay = outledger.relay("kafka").to(publisher).start()) {
      assertThat(relay).isNotNull();
      inThreads(thread -> append(outledger, thread));
      Await.until(
          () -> publisher.positions().size() + " are published",
          LiveRelay.PATIENCE,
          () -> publisher.positions().size() >= THREADS * EACH);
      assertThat(publisher.positions()).hasSize(THREADS * EACH).doesNotHaveDuplicates();
      for (int thread = 0; thread < THREADS; thread++) {
        String key = "k" + thread + "-";
        assertThat(publisher.messages())
            .extracting(message -> new String(message.payload(), UTF_8))
            .filteredOn(text -> text.startsWith(key))
            .isSortedAccordingTo((a, b) -> Integer.compare(number(a), number(b)));
      }

      inThreads(thread -> receive(outledger));
      assertThat(database.number("SELECT count(*) FROM effect")).isEqualTo(EACH);
      assertThat(database.number("SELECT count(DISTINCT id) FROM effect")).isEqualTo(EACH);

      outledger.subscriptions().move("kafka", Start.EARLIEST);
      Await.until(
          "all are published again",
          LiveRelay.PATIENCE,
          () -> publisher.positions().size() >= 2 * THREADS * EACH);
      Await.until(
          "all are settled, and can be purged",
          LiveRelay.PATIENCE,
          () -> {
            outledger.retention().purgeMessages(Duration.ZERO);
            return database.number("SELECT count(*) FROM outledger_message") == 0;
          });
    }
  }

  @Test
  void relayInTransactionModeLosesNothing() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    try (PgBouncer pooler = pooler(database, PgBouncer.Mode.TRANSACTION);
        LiveRelay live = new LiveRelay(database, through(pooler, database), options -> {})) {
      List<String> committed = NastyWriters.run(live);
      live.awaitNothingOpen();
      assertThat(live.published()).containsAll(committed);
      live.assertEveryNumberIsAccountedFor();
    }
  }

  private static PgBouncer pooler(StoreDatabase database, PgBouncer.Mode mode) {
    return PgBouncer.before(database.server(), mode, CONNECTIONS);
  }

  private static DataSource through(PgBouncer pooler, StoreDatabase database) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(pooler.jdbcUrl(database.name()));
    return dataSource;
  }

  private static void append(Outledger outledger, int thread) {
    for (int i = 0; i < EACH; i++) {
      outledger.outbox().inNewTransaction(LiveRelay.message("k" + thread, "k" + thread + "-" + i));
    }
  }

  private static int number(String payload) {
    return Integer.parseInt(payload.substring(payload.indexOf('-') + 1));
  }

  /** Every thread receives the same messages, in batches of ten. */
  private static void receive(Outledger outledger) throws Exception {
    var handler =
        outledger.inbox("stock").handler((connection, message) -> effect(connection, message.id()));
    for (int i = 0; i < EACH; i += 10) {
      List<Received> batch = new ArrayList<>();
      for (int j = i; j < i + 10; j++) {
        batch.add(received("m" + j));
      }
      handler.handle(batch);
    }
  }

  private static Received received(String id) {
    return new Received("s", id, "orders", null, "t", 1, new byte[0], Map.of(), null, "", "");
  }

  private static void effect(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void inThreads(Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        running.add(
            pool.submit(
                () -> {
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
