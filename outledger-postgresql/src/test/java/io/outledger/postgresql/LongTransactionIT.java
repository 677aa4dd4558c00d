// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/**
 * A transaction stays open while 50,000 others write the ledger, of which every tenth rolls back.
 * Its holes would be 80 kB in a cursor row that keeps them all.
 */
class LongTransactionIT {

  private static final int COMMITTED = 45_000;
  private static final int ROLLED_BACK = 5_000;

  /** Each save is refused whose row is larger than promised. */
  private static final String SMALL_ROWS =
      """
      ALTER TABLE outledger_cursor ADD CONSTRAINT small_rows
        CHECK (8 * (cardinality(open_first) + cardinality(open_last)) < 64 * 1024 - 200)\
      """;

  private static final String LATE =
      """
      INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload)
      VALUES (clock_timestamp(), gen_random_uuid(), 1, 'orders', 'late', 'order.placed', '')\
      """;

  private static final String WRITE =
      """
      DO $$ BEGIN PERFORM set_config('synchronous_commit', 'off', false);
      FOR i IN 1..50000 LOOP
        INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload)
        VALUES (clock_timestamp(), gen_random_uuid(), 1, 'orders', 'k', 'order.placed', '');
        IF i % 1000 = 0 THEN PERFORM pg_sleep(0.05); END IF;
        IF i % 10 = 0 THEN ROLLBACK; ELSE COMMIT; END IF;
      END LOOP; END $$\
      """;

  @Test
  void cursorRowStaysSmallBesideAWriterThatStaysOpenAndItsMessageComesAtLast() throws Exception {
    try (LiveRelay live = live();
        Connection late = live.database.connect()) {
      late.setAutoCommit(false);
      live.outledger.outbox().append(late, LiveRelay.message("late", "late"));
      live.database.execute(WRITE);
      live.awaitPublished(COMMITTED);
      assertThat(live.published()).doesNotContain("late");
      // Its holes wait: the writer could still fill any that it has drawn a number below.
      assertThat(overflow(live)).isGreaterThan(ROLLED_BACK / 2);
      late.commit();
      live.awaitNothingOpen();
      assertThat(live.published()).contains("late").hasSize(COMMITTED + 2);
      assertThat(overflow(live)).isZero();
      live.assertEveryNumberIsAccountedFor();
    }
  }

  @Test
  void newHolesOfABacklogAreKeptBesideTheCursorRowToo() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    database.execute(SMALL_ROWS);
    try (Connection late = database.connect()) {
      late.setAutoCommit(false);
      try (Statement statement = late.createStatement()) {
        statement.execute(LATE);
      }
      database.execute(WRITE);
      try (LiveRelay live = new LiveRelay(database)) {
        live.awaitPublished(COMMITTED);
        assertThat(overflow(live)).isBetween(ROLLED_BACK / 2L, (long) ROLLED_BACK);
        late.commit();
        live.awaitNothingOpen();
        assertThat(live.published()).hasSize(COMMITTED + 2);
        assertThat(overflow(live)).isZero();
        live.assertEveryNumberIsAccountedFor();
      }
    }
  }

  @Test
  void holesDropAllTheWhileBesideATransactionThatNeverTouchesTheLedger() throws Exception {
    try (LiveRelay live = live();
        Connection idle = live.database.connect();
        Statement statement = idle.createStatement()) {
      idle.setAutoCommit(false);
      statement.execute("CREATE TABLE elsewhere AS SELECT pg_current_xact_id() AS id");
      live.database.execute(WRITE);
      live.awaitNothingOpen();
      assertThat(live.published()).hasSize(COMMITTED + 1);
      assertThat(live.holesDropped()).isEqualTo(ROLLED_BACK);
      live.assertEveryNumberIsAccountedFor();
      idle.rollback();
    }
  }

  @Test
  void holesDropAllTheWhileBesideAHeldSnapshot() throws Exception {
    try (LiveRelay live = live();
        Connection snapshot = live.database.connect();
        Statement statement = snapshot.createStatement()) {
      snapshot.setAutoCommit(false);
      snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("SELECT count(*) FROM outledger_message");
      live.database.execute(WRITE);
      live.awaitNothingOpen();
      assertThat(live.published()).hasSize(COMMITTED + 1);
      assertThat(live.holesDropped()).isEqualTo(ROLLED_BACK);
      live.assertEveryNumberIsAccountedFor();
      snapshot.rollback();
    }
  }

  private static LiveRelay live() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(SMALL_ROWS);
    return new LiveRelay(database, options -> options.holes(h -> h.withRangesInRowMax(0)));
  }

  private static long overflow(LiveRelay live) throws SQLException {
    return live.database.number(
        "SELECT coalesce(sum(last_position - first_position + 1), 0) FROM outledger_hole");
  }
}
