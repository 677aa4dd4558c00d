// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that appends as many messages as it is allowed to, also while the database is killed: it
 * then asks the ledger how far each of its keys has come, since it cannot know whether its last
 * commit counts. One transaction in ten is rolled back.
 */
final class PacedWriter implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(PacedWriter.class);
  private static final int KEYS = 8;

  private final Shop shop;
  private final String topic;
  private final DataSource dataSource;
  private final Random random;
  private final Semaphore allowed = new Semaphore(0);
  private final Map<String, Integer> numbers = new HashMap<>();
  private volatile boolean stopping;
  private volatile boolean hasStopped;

  PacedWriter(Shop shop, String topic, DataSource dataSource, long seed) {
    this.shop = shop;
    this.topic = topic;
    this.dataSource = dataSource;
    this.random = new Random(seed);
  }

  /** Allows so many more messages. */
  void allow(int count) {
    allowed.release(count);
  }

  /** Returns whether all that was allowed was appended, but for a transaction's worth. */
  boolean isIdle() {
    return allowed.availablePermits() < 3;
  }

  /** Lets it end after its transaction. */
  void stop() {
    stopping = true;
  }

  boolean hasStopped() {
    return hasStopped;
  }

  @Override
  public void run() {
    try {
      while (!stopping) {
        try (Connection connection = dataSource.getConnection()) {
          learn(connection);
          connection.setAutoCommit(false);
          write(connection);
        } catch (SQLException | RuntimeException e) {
          LOG.debug("the database is away", e);
        }
      }
    } finally {
      hasStopped = true;
    }
  }

  private void learn(Connection connection) throws SQLException {
    String counts =
        "SELECT message_key, count(*) FROM outledger_message WHERE message_key LIKE 'paced-%'"
            + " GROUP BY message_key";
    numbers.clear();
    try (PreparedStatement statement = connection.prepareStatement(counts);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        numbers.put(rows.getString(1), rows.getInt(2));
      }
    }
  }

  private void write(Connection connection) throws SQLException {
    while (!stopping) {
      int count = 1 + random.nextInt(3);
      if (isAllowed(count)) {
        write(connection, "paced-" + random.nextInt(KEYS), count);
      }
    }
  }

  private boolean isAllowed(int count) {
    try {
      return allowed.tryAcquire(count, 100, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopping = true;
      return false;
    }
  }

  private void write(Connection connection, String key, int count) throws SQLException {
    int next = numbers.getOrDefault(key, 0);
    for (int i = 0; i < count; i++) {
      String number = String.valueOf(next + i);
      shop.outledger()
          .outbox()
          .append(
              connection,
              Message.to(topic, "order.placed")
                  .key(key)
                  .header("number", number)
                  .payload((key + " " + number).getBytes(UTF_8))
                  .build());
    }
    if (random.nextInt(10) == 0) {
      connection.rollback(); // leaves holes
    } else {
      connection.commit();
      numbers.put(key, next + count);
    }
  }
}
