// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.servers.Await;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Attempts are noted and forgotten by their keys, however many there are. A session reports what it
 * has read up to ten seconds later, so the lease is taken while the two tables are empty, and what
 * fills them is waited for.
 */
class AttemptRowsIT {

  private static final int ROWS = 2_000;
  private static final int CHANGED = 100;
  private static final long READS_MAX = 50L * CHANGED;

  private static final String FILL =
      """
      INSERT INTO outledger_parked
             (subscription, position, route, state, blocks, attempts, time, id, version, topic,
              type, payload)
      SELECT 'kafka', i, '', 'retrying', false, 12, now(),
             ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 1, 'orders', 't', 'x'
        FROM generate_series(1, %d) i;
      INSERT INTO outledger_attempt (subscription, position, route, id, attempt_no, failed_at)
      SELECT 'kafka', i, '', ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, n, now()
        FROM generate_series(1, %d) i, unnest(ARRAY[1, 2, 3, 4, 5, 8, 9, 10, 11, 12]) n\
      """
          .formatted(ROWS, ROWS);

  private final StoreDatabase database = StoreDatabase.create();

  @Test
  void saveReadsOnlyWhatItChanges() throws SQLException {
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      database.execute(FILL);
      database.execute("ANALYZE outledger_parked, outledger_attempt"); // as autovacuum does
      Await.until(
          "what the foreign key has read for each attempt is reported",
          Duration.ofMinutes(1),
          () -> sum("idx_tup_fetch") >= 10L * ROWS);
      saveWithoutScans(store, owner, AttemptRowsIT::failed);
      saveWithoutScans(store, owner, AttemptRowsIT::gone);
      assertThat(
              database.query(
                  "SELECT string_agg(attempt_no::text, ' ' ORDER BY attempt_no)"
                      + " FROM outledger_attempt GROUP BY position HAVING max(attempt_no) > 12"))
          .hasSize(CHANGED)
          .containsOnly("1 2 3 4 5 9 10 11 12 13");
      assertThat(database.number("SELECT count(*) FROM outledger_attempt"))
          .isEqualTo(10L * (ROWS - CHANGED));
    }
  }

  private void saveWithoutScans(
      RelayStore store, OwnerByHand owner, IntFunction<ParkedChange> change) throws SQLException {
    long scanned = sum("seq_tup_read");
    long reads = sum("idx_tup_fetch");
    List<ParkedChange> changes = IntStream.rangeClosed(1, CHANGED).mapToObj(change).toList();
    assertThat(owner.save(changes, Positions.NONE)).isInstanceOf(SaveOutcome.Saved.class);
    Await.until(
        "the session's reads are reported",
        Duration.ofMinutes(1),
        () -> {
          store.look(); // which reads neither table, and has the session report at its end
          return sum("idx_tup_fetch") >= reads + CHANGED;
        });
    assertThat(sum("seq_tup_read")).isEqualTo(scanned);
    assertThat(sum("idx_tup_fetch") - reads).isLessThan(READS_MAX);
  }

  private static ParkedChange failed(int position) {
    return new ParkedChange.Fail(
        position, "", id(position), ParkedState.DEAD, false, 13, "no", null, FailedAttempt.UNTIMED);
  }

  private static ParkedChange gone(int number) {
    int position = CHANGED + number;
    return new ParkedChange.Remove(position, "", id(position));
  }

  private static UUID id(int position) {
    return UUID.fromString("00000000-0000-7000-8000-%012d".formatted(position));
  }

  private long sum(String column) throws SQLException {
    return database.number(
        "SELECT sum(%s) FROM pg_stat_user_tables".formatted(column)
            + " WHERE relname IN ('outledger_parked', 'outledger_attempt')");
  }
}
