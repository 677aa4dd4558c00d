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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that append as many messages as they are allowed to, also while the database is killed:
 * each then asks the ledger how far its keys have come, since it cannot know whether its last
 * commit counts. One transaction in ten is rolled back, and one in twenty ends late: others have
 * appended behind it by then.
 */
final class PacedWriter {

  private static final Logger LOG = LoggerFactory.getLogger(PacedWriter.class);
  private static final int THREADS = 3;
  private static final int KEYS_OF_EACH = 4;
  private static final int LATE_MILLIS = 1_500;

  private final Shop shop;
  private final String topic;
  private final DataSource dataSource;
  private final long seed;
  private final Semaphore allowed = new Semaphore(0);
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch running = new CountDownLatch(THREADS);

  PacedWriter(Shop shop, String topic, DataSource dataSource, long seed) {
    this.shop = shop;
    this.topic = topic;
    this.dataSource = dataSource;
    this.seed = seed;
  }

  void start() {
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Random random = new Random(seed + i);
      new Thread(() -> run("paced-" + number + "-", random), "writer-" + i).start();
    }
  }

  /** Allows so many more messages. */
  void allow(int count) {
    allowed.release(count);
  }

  /** Returns whether all that was allowed was appended, but for a transaction's worth. */
  boolean isIdle() {
    return allowed.availablePermits() < 3;
  }

  /** Lets them end after their transactions. */
  void stop() {
    stopping.countDown();
  }

  boolean hasStopped() {
    return running.getCount() == 0;
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  private void run(String prefix, Random random) {
    try {
      while (!isStopping()) {
        try (Connection connection = dataSource.getConnection()) {
          Map<String, Integer> numbers = numbers(connection, prefix);
          connection.setAutoCommit(false);
          write(connection, prefix, random, numbers);
        } catch (SQLException | RuntimeException e) {
          LOG.debug("the database is away", e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      running.countDown();
    }
  }

  private static Map<String, Integer> numbers(Connection connection, String prefix)
      throws SQLException {
    String counts =
        "SELECT message_key, count(*) FROM outledger_message WHERE message_key LIKE ?"
            + " GROUP BY message_key";
    Map<String, Integer> numbers = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(counts)) {
      statement.setString(1, prefix + "%");
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          numbers.put(rows.getString(1), rows.getInt(2));
        }
      }
    }
    return numbers;
  }

  private void write(
      Connection connection, String prefix, Random random, Map<String, Integer> numbers)
      throws SQLException, InterruptedException {
    while (!isStopping()) {
      int count = 1 + random.nextInt(3);
      if (allowed.tryAcquire(count, 100, TimeUnit.MILLISECONDS)) {
        String key = prefix + random.nextInt(KEYS_OF_EACH);
        int next = numbers.getOrDefault(key, 0);
        append(connection, key, next, count);
        if (random.nextInt(20) == 0) {
          stopping.await(random.nextInt(LATE_MILLIS), TimeUnit.MILLISECONDS);
        }
        if (random.nextInt(10) == 0) {
          connection.rollback(); // leaves holes
        } else {
          connection.commit();
          numbers.put(key, next + count);
        }
      }
    }
  }

  private void append(Connection connection, String key, int next, int count) {
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
  }
}
