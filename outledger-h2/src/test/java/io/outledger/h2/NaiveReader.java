// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads what is above the highest position that it has seen, and so never a late commit. */
final class NaiveReader implements AutoCloseable {

  private final TestH2 database;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final Thread thread = new Thread(this::run, "naive reader");
  private volatile long high;
  private final AtomicInteger count = new AtomicInteger();

  NaiveReader(TestH2 database) {
    this.database = database;
    thread.start();
  }

  private void run() {
    try (Connection connection = database.connect()) {
      while (!isClosed.get()) {
        poll(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void poll(Connection connection) throws SQLException {
    for (long position :
        Sql.of(
                connection,
                "SELECT position FROM outledger_message WHERE position > ? ORDER BY position",
                high)
            .rows(row -> row.getLong(1))) {
      high = position;
      count.incrementAndGet();
    }
  }

  /** Stops, after a last look, and returns how many messages it has read. */
  int read() throws Exception {
    close();
    try (Connection connection = database.connect()) {
      poll(connection);
    }
    return count.get();
  }

  @Override
  public void close() {
    isClosed.set(true);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
