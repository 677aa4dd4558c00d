// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writers that commit late, roll back, roll back to savepoints, prepare before they end, meet a
 * slow trigger, and whose sessions are killed. Each has several connections, and ends its oldest
 * transaction only after it has done others, so a commit is late without a wait.
 */
final class NastyWriters implements AutoCloseable {

  static final int WRITERS = 4;
  static final int TRANSACTIONS = 250;
  private static final int OPEN_MAX = 3;
  private static final String ABORT = "CALL ABORT_SESSION(?)";

  /** When a session may be killed. */
  enum Kill {
    /** While it has a transaction open and executes nothing. */
    BETWEEN_STATEMENTS,
    WHILE_COMMITTING,
    WHILE_INSERTING
  }

  private final TestH2 database;
  private final Set<Kill> kills;
  private final AtomicLong clock = new AtomicLong();
  private final AppendStatement append = new AppendStatement(new Tables(Tables.DEFAULT_SCHEMA));
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private NastyWriters(TestH2 database, Set<Kill> kills) {
    this.database = database;
    this.kills = kills;
  }

  /** Runs them all, and returns what each transaction has come to. */
  static List<WriterStory> run(TestH2 database, long seed, Set<Kill> kills) throws Exception {
    try (NastyWriters writers = new NastyWriters(database, kills)) {
      List<Future<List<WriterStory>>> running = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        String name = "w" + writer;
        Random random = new Random(seed * WRITERS + writer);
        running.add(writers.threads.submit(() -> writers.write(name, random)));
      }
      List<WriterStory> stories = new ArrayList<>();
      for (Future<List<WriterStory>> each : running) {
        stories.addAll(each.get());
      }
      return stories;
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  private record Open(
      Connection connection, int session, String key, long begun, List<String> payloads) {

    WriterStory ended(AtomicLong clock, String end, WriterStory.Outcome outcome) {
      return new WriterStory(
          key, List.copyOf(payloads), begun, clock.incrementAndGet(), end, outcome);
    }
  }

  private List<WriterStory> write(String name, Random random) throws Exception {
    Deque<Open> open = new ArrayDeque<>();
    List<WriterStory> stories = new ArrayList<>();
    for (int i = 0; i < TRANSACTIONS; i++) {
      Open begun = begun(name);
      if (inserted(begun, name + "-" + i, random)) {
        open.add(begun);
      } else {
        stories.add(begun.ended(clock, "killed while inserting", WriterStory.Outcome.ROLLED_BACK));
        closeKilled(begun.connection());
      }
      while (open.size() > random.nextInt(OPEN_MAX)) {
        stories.add(end(open.remove(), random));
      }
    }
    while (!open.isEmpty()) {
      stories.add(end(open.remove(), random));
    }
    return stories;
  }

  private Open begun(String key) throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    int session = (int) Sql.of(connection, "SELECT SESSION_ID()").number();
    return new Open(connection, session, key, clock.incrementAndGet(), new ArrayList<>());
  }

  /** Returns whether the session lives on. */
  private boolean inserted(Open open, String name, Random random) throws Exception {
    boolean isKilled = kills.contains(Kill.WHILE_INSERTING) && random.nextInt(8) == 0;
    Callable<Boolean> inserting =
        () -> {
          insert(open, name, random);
          return true;
        };
    return isKilled ? whileKilled(open.session(), inserting) : inserting.call();
  }

  private void insert(Open open, String name, Random random) throws SQLException {
    for (int part = 0; part < 1 + random.nextInt(2); part++) {
      Savepoint savepoint = open.connection().setSavepoint();
      List<String> added = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(3); i++) {
        added.add(name + "-" + part + "-" + i);
      }
      String type = random.nextInt(10) == 0 ? SlowTrigger.TYPE : "order.placed";
      append.append(
          open.connection(), added.stream().map(p -> message(open.key(), type, p)).toList());
      if (random.nextInt(4) == 0) {
        open.connection().rollback(savepoint);
      } else {
        open.payloads().addAll(added);
      }
    }
  }

  private WriterStory end(Open open, Random random) throws Exception {
    int way = random.nextInt(12);
    WriterStory.Outcome outcome =
        switch (way) {
          case 0, 1, 2 -> rolledBack(open.connection());
          case 3 -> prepared(open.connection(), "COMMIT", WriterStory.Outcome.COMMITTED);
          case 4 -> prepared(open.connection(), "ROLLBACK", WriterStory.Outcome.ROLLED_BACK);
          case 5 -> killed(open, Kill.BETWEEN_STATEMENTS);
          case 6 -> killed(open, Kill.WHILE_COMMITTING);
          default -> committed(open.connection());
        };
    WriterStory story = open.ended(clock, "way " + way, outcome);
    closeKilled(open.connection());
    return story;
  }

  private static WriterStory.Outcome rolledBack(Connection connection) throws SQLException {
    connection.rollback();
    return WriterStory.Outcome.ROLLED_BACK;
  }

  private static WriterStory.Outcome committed(Connection connection) throws SQLException {
    connection.commit();
    return WriterStory.Outcome.COMMITTED;
  }

  private static WriterStory.Outcome prepared(
      Connection connection, String end, WriterStory.Outcome outcome) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PREPARE COMMIT mine");
      statement.execute(end + " TRANSACTION mine");
      return outcome;
    }
  }

  private WriterStory.Outcome killed(Open open, Kill kill) throws Exception {
    if (!kills.contains(kill)) {
      return committed(open.connection());
    }
    if (kill == Kill.BETWEEN_STATEMENTS) {
      abort(open.session());
      return WriterStory.Outcome.ROLLED_BACK;
    }
    Callable<WriterStory.Outcome> committing = () -> committed(open.connection());
    return whileKilled(open.session(), () -> committing.call() == WriterStory.Outcome.COMMITTED)
        ? WriterStory.Outcome.COMMITTED
        : WriterStory.Outcome.IN_DOUBT;
  }

  /** Returns whether what was done was done before the session was killed. */
  private boolean whileKilled(int session, Callable<Boolean> doing) throws Exception {
    Future<?> killing =
        threads.submit(
            () -> {
              abort(session);
              return session;
            });
    try {
      return doing.call();
    } catch (SQLException | RuntimeException | AssertionError e) {
      return false; // The session is gone, and H2 has several ways to say so.
    } finally {
      killing.get();
    }
  }

  private void abort(int session) throws SQLException {
    try (Connection connection = database.connect()) {
      Sql.of(connection, ABORT, session).rows(row -> row.getBoolean(1));
    }
  }

  private static void closeKilled(Connection connection) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      // Its session was killed.
    }
  }

  private static Message message(String key, String type, String payload) {
    return Message.to("orders", type).key(key).payload(payload.getBytes(UTF_8)).build();
  }
}
