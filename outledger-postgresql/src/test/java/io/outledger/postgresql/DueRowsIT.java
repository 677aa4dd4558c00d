// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.RelayStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** After a long outage of one route, a great many rows are due at once. */
class DueRowsIT {

  private static final int ROWS = 5000;
  private static final int LOOKS = 5;
  private static final int LIMIT = 20;

  private static final String FILL =
      """
      INSERT INTO outledger_parked
             (subscription, position, route, state, blocks, attempts, next_attempt_at, time, id,
              version, topic, message_key, type, payload)
      SELECT 'kafka', i, route, 'retrying', true, 1, now() - i * interval '1 second', now(),
             gen_random_uuid(), 1, 'orders', 'k' || i, 'order.placed', 'x'
        FROM generate_series(1, %d) i, unnest(ARRAY['a', 'b', 'gone']) AS route\
      """
          .formatted(ROWS);

  private final StoreDatabase database = StoreDatabase.create();

  @Test
  void eachLookReadsNoMoreThanItTakesAndTakesThoseThatHaveWaitedLongest() throws SQLException {
    database.execute(FILL);
    database.execute("ANALYZE outledger_parked"); // as autovacuum does, within a minute
    Set<ParkedPlace> taken = new HashSet<>();
    long before = rowsRead();
    try (RelayStore store = database.store("kafka")) {
      store.look();
      for (int look = 0; look < LOOKS; look++) {
        List<ParkedMessage> due = store.due(Set.of("a", "b"), taken, LIMIT);
        assertThat(due).hasSize(LIMIT);
        assertThat(due).extracting(ParkedMessage::position).isSorted();
        due.forEach(row -> assertThat(taken.add(ParkedPlace.of(row))).isTrue());
      }
    }
    assertThat(taken).extracting(ParkedPlace::route).containsOnly("a", "b");
    assertThat(taken)
        .extracting(ParkedPlace::position)
        .allMatch(position -> position > ROWS - LOOKS * LIMIT);
    Await.until(
        "the session's reads are reported", Duration.ofSeconds(10), () -> rowsRead() > before);
    assertThat(rowsRead() - before).isLessThan(1_000);
  }

  private long rowsRead() throws SQLException {
    return database.number(
        "SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables"
            + " WHERE relname = 'outledger_parked'");
  }
}
