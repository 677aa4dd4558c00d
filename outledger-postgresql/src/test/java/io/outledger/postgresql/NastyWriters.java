// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.postgresql.PGConnection;

/**
 * Writers that commit late, roll back, roll back to savepoints and copy. Each has a key of its own,
 * and its payloads are that key, a dash and a number that grows.
 */
final class NastyWriters {

  static final int WRITERS = 6;
  static final int TRANSACTIONS = 120;

  private final LiveRelay live;
  private final Queue<String> committed = new ConcurrentLinkedQueue<>();

  private NastyWriters(LiveRelay live) {
    this.live = live;
  }

  /** Runs them all to their end, and returns what they have committed. */
  static List<String> run(LiveRelay live) throws Exception {
    NastyWriters writers = new NastyWriters(live);
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        running.add(pool.submit(() -> writers.write(writer)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      pool.shutdownNow();
    }
    return List.copyOf(writers.committed);
  }

  private Void write(int writer) throws Exception {
    SplittableRandom random = new SplittableRandom(writer);
    try (Connection connection = live.database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < TRANSACTIONS; i++) {
        String payload = "w" + writer + "-" + i;
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
    return null;
  }

  /** Appends one message in one of four ways, some of which leave holes of their own. */
  private void append(Connection connection, Statement statement, String payload, int way)
      throws Exception {
    switch (way) {
      case 0 -> {
        Savepoint savepoint = connection.setSavepoint();
        insert(statement, "never-0");
        connection.rollback(savepoint);
        insert(statement, payload);
      }
      case 1 -> {
        Savepoint savepoint = connection.setSavepoint();
        insert(statement, payload);
        connection.releaseSavepoint(savepoint);
      }
      case 2 -> copy(connection, payload);
      default ->
          live.outledger.outbox().append(connection, LiveRelay.message(key(payload), payload));
    }
  }

  private static void copy(Connection connection, String payload) throws Exception {
    connection
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn(
            "COPY outledger_message (time, id, version, topic, message_key, type, payload) FROM"
                + " STDIN",
            new StringReader(
                "2026-01-01 00:00:00Z\t%s\t1\torders\t%s\torder.placed\t\\\\x%s\n"
                    .formatted(UUID.randomUUID(), key(payload), hex(payload))));
  }

  private static void insert(Statement statement, String payload) throws SQLException {
    statement.execute(
        """
        INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload)
        VALUES (clock_timestamp(), gen_random_uuid(), 1, 'orders', '%s', 'order.placed', '\\x%s')\
        """
            .formatted(key(payload), hex(payload)));
  }

  private static String key(String payload) {
    return payload.substring(0, payload.indexOf('-'));
  }

  private static String hex(String payload) {
    return HexFormat.of().formatHex(payload.getBytes(UTF_8));
  }
}
