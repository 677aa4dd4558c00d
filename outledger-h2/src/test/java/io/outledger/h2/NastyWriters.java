// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Writers that commit late, roll back, and roll back to savepoints. Each has several connections,
 * and ends its oldest transaction only after it has done others, so a commit is late without a
 * wait.
 */
final class NastyWriters {

  static final int WRITERS = 4;
  static final int TRANSACTIONS = 250;
  private static final int OPEN_MAX = 3;

  private final TestH2 database;
  private final AppendStatement append = new AppendStatement(new Tables(Tables.DEFAULT_SCHEMA));

  private NastyWriters(TestH2 database) {
    this.database = database;
  }

  /** Runs them all, and returns the payloads of what was committed, each key's in its order. */
  static List<String> run(TestH2 database, long seed) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<List<String>>> running = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        String name = "w" + writer;
        Random random = new Random(seed + writer);
        running.add(threads.submit(() -> new NastyWriters(database).write(name, random)));
      }
      List<String> committed = new ArrayList<>();
      for (Future<List<String>> each : running) {
        committed.addAll(each.get());
      }
      return committed;
    } finally {
      threads.shutdownNow();
    }
  }

  private record Open(Connection connection, List<String> payloads) {}

  private List<String> write(String name, Random random) throws SQLException {
    Deque<Open> open = new ArrayDeque<>();
    List<String> committed = new ArrayList<>();
    for (int i = 0; i < TRANSACTIONS; i++) {
      open.add(begun(name + "-" + i, random));
      while (open.size() > random.nextInt(OPEN_MAX)) {
        end(open.remove(), random, committed);
      }
    }
    while (!open.isEmpty()) {
      end(open.remove(), random, committed);
    }
    return committed;
  }

  private Open begun(String name, Random random) throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    List<String> payloads = new ArrayList<>();
    for (int part = 0; part < 1 + random.nextInt(2); part++) {
      Savepoint savepoint = connection.setSavepoint();
      List<String> added = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(3); i++) {
        added.add(name + "-" + part + "-" + i);
      }
      append.append(connection, added.stream().map(p -> message(name, p)).toList());
      if (random.nextInt(4) == 0) {
        connection.rollback(savepoint);
      } else {
        payloads.addAll(added);
      }
    }
    return new Open(connection, payloads);
  }

  private static void end(Open open, Random random, List<String> committed) throws SQLException {
    try (Connection connection = open.connection()) {
      if (random.nextInt(4) == 0) {
        connection.rollback();
      } else {
        connection.commit();
        committed.addAll(open.payloads());
      }
    }
  }

  private static Message message(String key, String payload) {
    return Message.to("orders", "order.placed").key(key).payload(payload.getBytes(UTF_8)).build();
  }
}
