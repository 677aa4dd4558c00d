// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxId;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Batches with the same ids, in whatever order they were received. */
class InboxOrderIT {

  private static final String WAITING =
      """
      SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'\
      """;

  private final StoreDatabase database = StoreDatabase.create();
  private final InboxOfTables store = new InboxOfTables();

  /** Each would wait for what the other has inserted, were the ids inserted as they came. */
  @Test
  void twoBatchesWithTheSameIdsInOppositeOrdersWaitAndDoNotDeadlock() throws Exception {
    try (Connection before = begin();
        Connection first = begin();
        Connection second = begin()) {
      store.insert(before, "stock", ids("m"));
      CompletableFuture<Set<InboxId>> up = insert(first, ids("a", "m", "z"));
      Await.until("one waits", Duration.ofSeconds(30), () -> database.number(WAITING) == 1);
      CompletableFuture<Set<InboxId>> down = insert(second, ids("z", "m", "a"));
      Await.until("both wait", Duration.ofSeconds(30), () -> database.number(WAITING) == 2);
      before.rollback();
      assertThat(up.get(30, TimeUnit.SECONDS)).hasSize(3);
      first.commit();
      assertThat(down.get(30, TimeUnit.SECONDS)).isEmpty();
    }
  }

  /** In a thread of its own: the common pool may have one alone, and both must wait. */
  private CompletableFuture<Set<InboxId>> insert(Connection connection, Set<InboxId> ids) {
    return CompletableFuture.supplyAsync(
        () -> store.insert(connection, "stock", ids), task -> new Thread(task).start());
  }

  private Connection begin() throws java.sql.SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private static Set<InboxId> ids(String... ids) {
    return new LinkedHashSet<>(List.of(ids).stream().map(id -> new InboxId("s", id)).toList());
  }
}
