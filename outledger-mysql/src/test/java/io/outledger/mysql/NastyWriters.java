// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Writers that commit late, roll back, roll back to savepoints, prepare before they end, load
 * files, meet a slow trigger and changes of the numbers, and whose line is cut and whose server is
 * killed. Each has several connections, and ends its oldest transaction only after it has begun
 * others, so a commit is late without a wait.
 */
final class NastyWriters implements AutoCloseable {

  static final int WRITERS = 8;
  static final int TRANSACTIONS = 60;

  /** With so many writers, about 32 transactions are open at the same time. */
  private static final int OPEN_MAX = 8;

  /** In the payload of messages that came from a file. */
  static final String FILE = "-file-";

  /** Numbers are reserved for more and more of its rows at once. */
  private static final int FILE_ROWS_MAX = 12;

  private static final Duration BACK = Duration.ofMinutes(2);

  private final TestDatabase database;
  private final DataSource dataSource;
  private final Renumbering renumbering;
  private final AtomicLong clock = new AtomicLong();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile boolean mayEnd;

  /**
   * Creates them.
   *
   * @param parameters of their URL, beside those for files
   * @param renumbering what changes the numbers while none of them has a transaction open
   */
  NastyWriters(TestDatabase database, String parameters, Renumbering renumbering) {
    this.database = database;
    this.dataSource = database.dataSource(LoadedFile.PARAMETERS + "&" + parameters);
    this.renumbering = renumbering;
  }

  /** Begins them all. They go on until they may end. */
  List<Future<List<WriterStory>>> start(long seed) {
    List<Future<List<WriterStory>>> running = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      String name = "w" + writer;
      Random random = new Random(seed * WRITERS + writer);
      running.add(threads.submit(() -> write(name, random)));
    }
    return running;
  }

  /** Lets them end when each has done its number of transactions. */
  void mayEnd() {
    mayEnd = true;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** A transaction, which is one of XA's where it has a name there. */
  private record Open(
      Connection connection, String key, String xa, long begun, List<String> payloads) {

    boolean isXa() {
      return !xa.isEmpty();
    }
  }

  private List<WriterStory> write(String name, Random random) {
    Deque<Open> open = new ArrayDeque<>();
    List<WriterStory> stories = new ArrayList<>();
    for (int i = 0; i < TRANSACTIONS || !mayEnd; i++) {
      if (renumbering.isDue(i)) {
        while (!open.isEmpty()) {
          stories.add(end(open.remove(), random));
        }
        renumbering.await();
      }
      Open begun = begun(name, random.nextInt(6) == 0 ? name + "-" + i : "");
      if (isInserted(begun, name + "-" + i, random)) {
        open.add(begun);
      } else {
        stories.add(story(begun, WriterStory.Outcome.IN_DOUBT));
        close(begun);
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

  /** A server that was killed is waited for. */
  private Open begun(String key, String xa) {
    List<Connection> connections = new ArrayList<>();
    Await.until(
        () -> "the server is back",
        BACK,
        () -> {
          try {
            connections.add(dataSource.getConnection());
            return true;
          } catch (SQLException e) {
            return false;
          }
        });
    return new Open(connections.get(0), key, xa, clock.incrementAndGet(), new ArrayList<>());
  }

  /** Returns whether the session lives on. */
  private boolean isInserted(Open open, String name, Random random) {
    try {
      if (open.isXa()) {
        execute(open, "XA START '" + open.xa() + "'");
      } else {
        open.connection().setAutoCommit(false);
      }
      insert(open, name, random);
      if (open.isXa()) {
        execute(open, "XA END '" + open.xa() + "'");
        execute(open, "XA PREPARE '" + open.xa() + "'");
      }
      return true;
    } catch (SQLException | RuntimeException e) {
      return false; // its server is gone; what it has prepared is ended by the janitor
    }
  }

  private void insert(Open open, String name, Random random) throws SQLException {
    for (int part = 0; part < 1 + random.nextInt(2); part++) {
      boolean isFile = random.nextInt(6) == 0;
      int rows = 1 + random.nextInt(isFile ? FILE_ROWS_MAX : 3);
      List<String> added = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        added.add(name + (isFile ? FILE : "-") + part + "-" + i);
      }
      String type = random.nextInt(10) == 0 ? HoleStress.SLOW : "order.placed";
      Savepoint savepoint = open.isXa() ? null : open.connection().setSavepoint();
      List<Message> messages = added.stream().map(p -> message(open.key(), type, p)).toList();
      if (isFile) {
        LoadedFile.append(open.connection(), messages);
      } else {
        new AppendStatement(database.tables()).append(open.connection(), messages);
      }
      if (savepoint != null && random.nextInt(4) == 0) {
        open.connection().rollback(savepoint);
      } else {
        open.payloads().addAll(added);
      }
    }
  }

  private WriterStory end(Open open, Random random) {
    int way = random.nextInt(12);
    try {
      WriterStory.Outcome outcome =
          switch (way) {
            case 0, 1, 2 -> rolledBack(open);
            case 3 -> open.isXa() ? committed(open) : cut(open);
            default -> committed(open);
          };
      return story(open, outcome);
    } catch (SQLException | RuntimeException e) {
      return story(open, WriterStory.Outcome.IN_DOUBT);
    } finally {
      close(open);
    }
  }

  private static WriterStory.Outcome rolledBack(Open open) throws SQLException {
    if (open.isXa()) {
      execute(open, "XA ROLLBACK '" + open.xa() + "'");
    } else {
      open.connection().rollback();
    }
    return WriterStory.Outcome.ROLLED_BACK;
  }

  private static WriterStory.Outcome committed(Open open) throws SQLException {
    if (open.isXa()) {
      execute(open, "XA COMMIT '" + open.xa() + "'");
    } else {
      open.connection().commit();
    }
    return WriterStory.Outcome.COMMITTED;
  }

  /** The line is cut without a word. */
  private static WriterStory.Outcome cut(Open open) throws SQLException {
    open.connection().abort(Runnable::run);
    return WriterStory.Outcome.ROLLED_BACK;
  }

  private WriterStory story(Open open, WriterStory.Outcome outcome) {
    return new WriterStory(
        open.key(), List.copyOf(open.payloads()), open.begun(), clock.incrementAndGet(), outcome);
  }

  private static void execute(Open open, String sql) throws SQLException {
    try (Statement statement = open.connection().createStatement()) {
      statement.execute(sql);
    }
  }

  private static void close(Open open) {
    try {
      open.connection().close();
    } catch (SQLException | RuntimeException e) {
      // Its session was killed.
    }
  }

  static Message message(String key, String type, String payload) {
    return Message.to("orders", type).key(key).payload(payload.getBytes(UTF_8)).build();
  }
}
