// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads what is above the highest position that it has seen, and so never a late commit. */
final class NaiveReader implements AutoCloseable {

  private final TestDatabase database;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final Thread thread = new Thread(this::run, "naive reader");
  private final AtomicInteger count = new AtomicInteger();
  private volatile long high;

  NaiveReader(TestDatabase database) {
    this.database = database;
    thread.start();
  }

  private void run() {
    while (!isClosed.get()) {
      try (Connection connection = database.connect()) {
        while (!isClosed.get()) {
          poll(connection);
        }
      } catch (SQLException e) {
        Thread.onSpinWait(); // its server was killed, and comes back
      }
    }
  }

  private void poll(Connection connection) throws SQLException {
    for (long position :
        Sql.in(
                database.tables(),
                connection,
                "SELECT m.position FROM {schema}.outledger_message m WHERE m.position > ?"
                    + " ORDER BY m.position",
                high)
            .rows(row -> row.getLong(1))) {
      high = position;
      count.incrementAndGet();
    }
  }

  /** Stops, after a last look, and returns how many messages it has read. */
  int read() throws SQLException {
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
