// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.store.RelayStore;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Nothing that commits late is taken for a dead hole, and dead holes go, on a real server. */
class HoleProofIT {

  private static final int WRITERS = 6;
  private static final int TRANSACTIONS = 120;
  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void lateCommitsAndRollbacksLoseNothing() throws Exception {
    stress(StoreDatabase.create());
  }

  @Test
  void slowInsertTriggerLosesNothing() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    database.execute(
        """
        CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(random() * 0.02); RETURN new; END $$;
        CREATE TRIGGER slow BEFORE INSERT ON outledger_message
          FOR EACH ROW EXECUTE FUNCTION slow()\
        """);
    stress(database);
  }

  @Test
  void holesDropWhileAnIdleTransactionOfAnotherDatabaseIsOpen() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    try (Connection foreign = StoreDatabase.empty().connect();
        Statement statement = foreign.createStatement()) {
      foreign.setAutoCommit(false);
      statement.execute("SELECT pg_current_xact_id()");
      stress(database);
      foreign.rollback();
    }
  }

  @Test
  void preparedTransactionKeepsItsHoleOpenUntilItCommits() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    try (RelayStore store = database.store("kafka");
        Connection writer = database.connect();
        Statement statement = writer.createStatement()) {
      SmallRelay relay = SmallRelay.on(store);
      writer.setAutoCommit(false);
      statement.execute(StoreDatabase.append(1));
      database.execute(StoreDatabase.append(1));
      relay.step();
      List<Long> before = List.copyOf(store.writers());
      statement.execute("PREPARE TRANSACTION 'held'");
      writer.setAutoCommit(true);
      assertThat(before).hasSize(1);
      assertThat(store.writers()).containsExactlyElementsOf(before);
      assertThat(store.blockers()).contains("prepared transaction 'held'");
      for (int i = 0; i < 10; i++) {
        relay.step();
      }
      assertThat(relay.positions).containsExactly(2L);
      statement.execute("COMMIT PREPARED 'held'");
      relay.step();
      assertThat(relay.positions).containsExactly(2L, 1L);
      assertThat(relay.frontier.open().isEmpty()).isTrue();
    }
  }

  @Test
  void writerThatHoldsItsTransactionIsNamed() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    try (RelayStore store = database.store("kafka");
        Connection writer = database.connect();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute(StoreDatabase.append(1));
      assertThat(store.writers()).hasSize(1);
      assertThat(store.blockers())
          .contains("writes the ledger", "INSERT INTO", "idle in transaction");
      writer.rollback();
      assertThat(store.writers()).isEmpty();
    }
  }

  private static void stress(StoreDatabase database) throws Exception {
    Queue<String> committed = new ConcurrentLinkedQueue<>();
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try (RelayStore store = database.store("kafka")) {
      SmallRelay relay = SmallRelay.on(store);
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(
            pool.submit(
                () -> {
                  write(database, writer, committed);
                  return writer;
                }));
      }
      while (!writers.stream().allMatch(Future::isDone)) {
        relay.step();
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      Await.until(
          "all is settled",
          SOON,
          () -> {
            relay.step();
            return relay.frontier.open().isEmpty() && relay.positions.size() >= committed.size();
          });
      assertThat(relay.payloads).containsExactlyInAnyOrderElementsOf(committed);
      assertThat(relay.payloads).hasSizeGreaterThan(WRITERS * TRANSACTIONS / 2);
    } finally {
      pool.shutdownNow();
    }
  }

  private static void write(StoreDatabase database, int writer, Queue<String> committed)
      throws Exception {
    SplittableRandom random = new SplittableRandom(writer);
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < TRANSACTIONS; i++) {
        String payload = writer + "-" + i;
        append(connection, statement, payload, random.nextInt(4));
        if (random.nextInt(3) == 0) {
          statement.execute("SELECT pg_sleep(" + random.nextInt(20) / 1000.0 + ")");
        }
        if (random.nextInt(5) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          committed.add(payload);
        }
      }
    }
  }

  /** Appends one message in one of four ways, some of which leave holes of their own. */
  private static void append(Connection connection, Statement statement, String payload, int way)
      throws Exception {
    switch (way) {
      case 0 -> {
        Savepoint savepoint = connection.setSavepoint();
        insert(statement, "never");
        connection.rollback(savepoint);
        insert(statement, payload);
      }
      case 1 -> {
        Savepoint savepoint = connection.setSavepoint();
        insert(statement, payload);
        connection.releaseSavepoint(savepoint);
      }
      case 2 ->
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn(
                  "COPY outledger_message (time, id, version, topic, type, payload) FROM STDIN",
                  new StringReader(
                      "2026-01-01 00:00:00Z\t%s\t1\torders\torder.placed\t\\\\x%s\n"
                          .formatted(java.util.UUID.randomUUID(), hex(payload))));
      default -> insert(statement, payload);
    }
  }

  private static String hex(String payload) {
    return java.util.HexFormat.of()
        .formatHex(payload.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  private static void insert(Statement statement, String payload) throws SQLException {
    statement.execute(
        """
        INSERT INTO outledger_message (time, id, version, topic, key, type, payload)
        VALUES (clock_timestamp(), gen_random_uuid(), 1, 'orders', 'k', 'order.placed',
                convert_to('%s', 'UTF8'))\
        """
            .formatted(payload));
  }
}
