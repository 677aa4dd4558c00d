// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** An application with a ledger of its own that appends messages, and rolls some back. */
final class Shop implements AutoCloseable {

  private static final int KEYS_OF_EACH = 5;

  private final Postgres postgres;
  private final String database;
  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();
  private final Outledger outledger;
  private final ExecutorService writers = Executors.newCachedThreadPool();
  private final List<Future<?>> writing = new ArrayList<>();
  private final AtomicInteger appended = new AtomicInteger();
  private volatile boolean stopping;

  Shop(Postgres postgres) {
    this.postgres = postgres;
    this.database = postgres.createDatabase();
    dataSource.setUrl(postgres.jdbcUrl(database));
    Schema.of(dataSource).apply(dataSource);
    outledger = Outledger.builder(dataSource).withoutRetention().build();
  }

  Outledger outledger() {
    return outledger;
  }

  DataSource dataSource() {
    return dataSource;
  }

  /** Returns the address without user and password. */
  String url() {
    return postgres.jdbcUrl(database).replaceAll("\\?.*", "");
  }

  Postgres postgres() {
    return postgres;
  }

  /** Appends one message and commits it. */
  void append(Message message) {
    outledger.transactions().run(connection -> outledger.outbox().append(connection, message));
    appended.incrementAndGet();
  }

  /** Starts threads that append until {@link #finish}: each has keys of its own. */
  void write(int threads, String topic, long seed) {
    for (int i = 0; i < threads; i++) {
      int writer = i;
      writing.add(writers.submit(() -> write(writer, topic, new Random(seed + writer))));
    }
  }

  private Void write(int writer, String topic, Random random) throws SQLException {
    Map<String, Integer> numbers = new HashMap<>();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      while (!stopping) {
        String key = "w" + writer + "-" + random.nextInt(KEYS_OF_EACH);
        int next = numbers.getOrDefault(key, 0);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
          outledger
              .outbox()
              .append(
                  connection,
                  Message.to(topic, "order.placed")
                      .key(key)
                      .header("number", String.valueOf(next + i))
                      .payload((key + " " + (next + i)).getBytes(UTF_8))
                      .build());
        }
        if (random.nextInt(10) == 0) {
          connection.rollback(); // leaves holes
        } else {
          connection.commit();
          numbers.put(key, next + count);
          appended.addAndGet(count);
        }
      }
    }
    return null;
  }

  /** Returns how many messages were committed so far. */
  int appended() {
    return appended.get();
  }

  /** Ends all writing. */
  void finish() throws InterruptedException, ExecutionException {
    stopping = true;
    for (Future<?> each : writing) {
      each.get();
    }
  }

  /** Waits until a cursor has been saved twice more: its owner has looked around meanwhile. */
  void awaitRenewal() {
    long saved = number("SELECT max(n) FROM outledger_cursor");
    Await.until(
        "its lease is renewed",
        Duration.ofMinutes(5),
        () -> number("SELECT max(n) FROM outledger_cursor") > saved + 1);
  }

  /** Counts the messages in the ledger. */
  long count() {
    return number("SELECT count(*) FROM outledger_message");
  }

  long number(String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs statements as the database's owner. */
  void execute(Iterable<String> statements) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    stopping = true;
    writers.shutdownNow();
    outledger.close();
  }
}
