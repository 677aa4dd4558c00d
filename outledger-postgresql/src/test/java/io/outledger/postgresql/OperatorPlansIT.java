// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.Admin;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.Retention;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.MessageQuery;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.servers.Await;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * What an operator does holds rows that the owner's next save needs. So it must read each row a few
 * times at most, whatever the planner believes: here nobody has told it how the tables have grown.
 */
class OperatorPlansIT {

  private static final int ROWS = 900;
  private static final long READS_MAX =
      50L * ROWS; // to look at all of them for each would be 900 times

  private static final String FILLED = filled(ROWS);

  private static String filled(int count) {
    return """
    INSERT INTO outledger_parked
           (subscription, position, route, state, blocks, attempts, time, id, version, topic,
            message_key, type, payload)
    SELECT 'kafka', i, '', CASE WHEN i %% 2 = 0 THEN 'dead' ELSE 'held' END, false, 1, now(),
           gen_random_uuid(), 1, 'orders', 'k' || i, 'order.placed', 'x'
      FROM generate_series(1, %1$d) i;
    -- Without the look-ups of the foreign key, whose reads would be counted later.
    SET session_replication_role = replica;
    INSERT INTO outledger_attempt (subscription, position, route, id, attempt_no, failed_at)
    SELECT subscription, position, route, id, 1, now() FROM outledger_parked;
    RESET session_replication_role;
    INSERT INTO outledger_late (subscription, position)
    SELECT 'kafka', i FROM generate_series(1, %1$d) i;
    INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload)
    SELECT clock_timestamp(), md5(i::text)::uuid, 1, 'orders', 'k' || i, 'order.placed', 'x'
      FROM generate_series(1, %1$d) i;
    %2$s\
    """
        .formatted(count, InboxSql.remember("kafka/mail", "kafka", "outledger_message", "90 days"));
  }

  private static Map<String, Callable<Object>> operations(StoreDatabase database) {
    Subscriptions subscriptions = Subscriptions.of(database.dataSource(), "public");
    ParkedMessages parked = ParkedMessages.of(database.dataSource(), "public", "kafka");
    Retention retention = Retention.of(database.dataSource(), "public", InboxRetention.DEFAULT);
    Map<String, Callable<Object>> all = new LinkedHashMap<>();
    Admin admin = database.admin();
    ParkedQuery dead =
        ParkedQuery.of(Reader.subscription("kafka"))
            .with(ParkedSelection.of(ParkedState.DEAD))
            .withLimit(MessageQuery.LIMIT_MAX);
    all.put("list dead letters", () -> admin.parked(dead));
    all.put("list subscriptions", admin::subscriptions);
    all.put("retry all", parked::retryAll);
    all.put("move back", () -> subscriptions.move("kafka", Start.EARLIEST));
    all.put(
        "move back and process again",
        () -> subscriptions.moveAndProcessAgain("kafka", Start.EARLIEST));
    all.put("move back by time", () -> subscriptions.move("kafka", Start.at(Instant.EPOCH)));
    all.put("skip to now", () -> subscriptions.skip("kafka", Start.NOW));
    all.put("purge messages", () -> retention.purgeMessages(Duration.ZERO));
    all.put("purge inbox", () -> retention.purgeInbox(Duration.ofDays(30)));
    all.put(
        "delete",
        () -> {
          subscriptions.delete("kafka");
          return "deleted";
        });
    return all;
  }

  @Test
  void noOperationReadsTheRowsOnceForEachRow() throws Exception {
    List<String> tooMany = new ArrayList<>();
    for (String operation : operations(StoreDatabase.create()).keySet()) {
      long reads = readsOf(operation);
      if (reads > READS_MAX) {
        tooMany.add(operation + ": " + reads + " rows read");
      }
    }
    assertThat(tooMany).as("of %d rows in each table", ROWS).isEmpty();
  }

  private static long readsOf(String operation) throws Exception {
    StoreDatabase database = StoreDatabase.create();
    for (String table : List.of("message", "parked", "attempt", "late", "inbox")) {
      database.execute("ALTER TABLE outledger_" + table + " SET (autovacuum_enabled = false)");
    }
    database.execute(FILLED);
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand.of(store).readAndSettle();
    }
    database.execute("UPDATE outledger_cursor SET lease_until = now() - interval '1 hour'");
    long before = reads(database);
    Objects.requireNonNull(operations(database).get(operation)).call();
    long[] last = {before};
    int[] unchanged = {0};
    Await.until(
        "the reads of all sessions are reported",
        Duration.ofSeconds(10),
        () -> {
          long now = reads(database);
          unchanged[0] = now > before && now == last[0] ? unchanged[0] + 1 : 0;
          last[0] = now;
          return unchanged[0] == 5;
        });
    return last[0] - before;
  }

  private static long reads(StoreDatabase database) throws SQLException {
    return database.number(
        "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_user_tables");
  }
}
