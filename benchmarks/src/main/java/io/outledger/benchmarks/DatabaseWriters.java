// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Applications that save an order and its messages in a transaction, as fast as they can. */
final class DatabaseWriters {

  private static final String ORDER = "INSERT INTO business (note) VALUES ('order')";

  private final MeasuredDatabase database;
  private final Outledger outledger;
  private final Duration turn;

  /** Makes the table of orders. */
  DatabaseWriters(MeasuredDatabase database, Outledger outledger, Duration turn)
      throws SQLException {
    this.database = database;
    this.outledger = outledger;
    this.turn = turn;
    Sql.run(
        database.dataSource(),
        "CREATE TABLE business (id %s, note VARCHAR(20) NOT NULL)".formatted(database.id()));
  }

  /** What is done beside the order, in its transaction. */
  private interface Beside {
    void write(Connection connection) throws SQLException;
  }

  /** Returns how many transactions a second append so many messages. */
  double appends(int threads, int messages) throws InterruptedException {
    List<Message> each =
        Collections.nCopies(messages, null).stream().map(absent -> message()).toList();
    return perSecond(threads, connection -> outledger.outbox().append(connection, each));
  }

  /** Returns how many transactions a second insert so many rows into a table like any other. */
  double inserts(int threads, int messages) throws InterruptedException {
    List<byte[]> each = Collections.nCopies(messages, new byte[WaitingLedger.PAYLOAD_BYTES]);
    return perSecond(threads, connection -> HandWrittenOutbox.insert(connection, each));
  }

  private static Message message() {
    return Message.to("orders", "order.placed")
        .key(WaitingLedger.key(0))
        .payload(new byte[WaitingLedger.PAYLOAD_BYTES])
        .build();
  }

  private double perSecond(int threads, Beside beside) throws InterruptedException {
    ExecutorService writers = Executors.newFixedThreadPool(threads);
    try {
      long start = System.nanoTime();
      long committed = 0;
      List<Callable<Long>> all = Collections.nCopies(threads, () -> write(beside));
      for (Future<Long> one : new ArrayList<>(writers.invokeAll(all))) {
        committed += one.get();
      }
      return committed * 1e9 / (System.nanoTime() - start);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a writer failed", e);
    } finally {
      writers.shutdownNow();
    }
  }

  private long write(Beside beside) throws SQLException {
    long start = System.nanoTime();
    long committed = 0;
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement order = connection.prepareStatement(ORDER)) {
        while (System.nanoTime() - start < turn.toNanos()) {
          order.executeUpdate();
          beside.write(connection);
          connection.commit();
          committed++;
        }
      }
    }
    return committed;
  }
}
