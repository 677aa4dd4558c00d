// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.InboxRetention;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The inbox is purged while messages are received, each from several sides. */
class InboxPurgeIT {

  private static final int SIDES = 3;
  private static final int MESSAGES = 600;
  private static final int BATCH = 20;
  private static final int OLD = 5_000;

  private final StoreDatabase database = StoreDatabase.create();
  private final Outledger outledger = Outledger.builder(database.dataSource()).build();
  private final AtomicInteger receiving = new AtomicInteger(SIDES);

  @Test
  void everyEffectHappensOnceAndWhatIsOldIsGone() throws Exception {
    database.execute("CREATE TABLE effect (id text)");
    try (outledger) {
      List<Callable<Void>> work = new ArrayList<>(List.of(this::purge));
      for (int i = 0; i < SIDES; i++) {
        work.add(this::receiveAll);
      }
      ExecutorService pool = Executors.newFixedThreadPool(work.size());
      try {
        for (Future<Void> each : pool.invokeAll(work)) {
          each.get();
        }
      } finally {
        pool.shutdownNow();
      }
    }
    assertThat(database.query("SELECT count(*), count(DISTINCT id) FROM effect"))
        .containsExactly(MESSAGES + "|" + MESSAGES);
    assertThat(database.query("SELECT consumer, count(*) FROM outledger_processed GROUP BY 1"))
        .containsExactly("stock|" + MESSAGES);
  }

  private Void purge() throws SQLException {
    boolean isLast;
    do {
      isLast = receiving.get() == 0;
      database.execute(
          """
          INSERT INTO outledger_inbox (processed_minute, consumer_no, message_hash)
          SELECT date_part('epoch', now() - interval '30 days') / 60, 0, gen_random_uuid()
            FROM generate_series(1, %d)\
          """
              .formatted(OLD));
      assertThat(outledger.retention().purgeInbox(InboxRetention.DEFAULT.keep()))
          .isGreaterThanOrEqualTo(OLD);
    } while (!isLast);
    return null;
  }

  private Void receiveAll() throws Exception {
    try {
      BatchHandler handler =
          outledger.inbox("stock").handler((connection, message) -> effect(connection, message));
      for (int i = 0; i < MESSAGES; i += BATCH) {
        List<Received> batch = new ArrayList<>();
        for (int j = i; j < i + BATCH; j++) {
          batch.add(
              new Received("s", "m" + j, "t", null, "t", 1, new byte[0], Map.of(), null, "", ""));
        }
        handler.handle(batch);
      }
      return null;
    } finally {
      receiving.decrementAndGet();
    }
  }

  private static void effect(Connection connection, Received message) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
      insert.setString(1, message.id());
      insert.executeUpdate();
    }
  }
}
