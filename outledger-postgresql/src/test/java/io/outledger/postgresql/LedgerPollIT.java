// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.servers.Await;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class LedgerPollIT {

  private static final String LARGE =
      """
      INSERT INTO outledger_message (time, id, version, topic, type, payload)
      SELECT clock_timestamp(), gen_random_uuid(), 1, 'files', 'file',
             convert_to(repeat(i::text, 100000), 'UTF8') FROM generate_series(1, 9) i\
      """;

  @Test
  void largePayloadsAreLoadedOnlyAsFarAsTheyFit() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(LARGE);
    try (RelayStore store = database.store("kafka")) {
      store.look();
      Page page = store.poll(new PollRequest(0, 100, 250_000, Positions.NONE));
      assertThat(positions(page)).containsExactly(1L, 2L);
      assertThat(page.messages().get(1).message().payload()).hasSize(100_000).contains((byte) '2');
      assertThat(page.readTo()).isEqualTo(2);
      assertThat(page.more()).isTrue();
      assertThat(page.withheld()).isEqualTo(Positions.NONE);
      page = store.poll(new PollRequest(8, 100, 250_000, Positions.range(3, 8)));
      assertThat(positions(page)).containsExactly(3L, 4L);
      assertThat(page.withheld()).isEqualTo(Positions.range(5, 8));
      assertThat(page.readTo()).isEqualTo(8);
      page = store.poll(new PollRequest(Long.MAX_VALUE, 100, 1, Positions.range(7, 8)));
      assertThat(positions(page)).containsExactly(7L);
      assertThat(page.withheld()).isEqualTo(Positions.of(8));
    }
  }

  @Test
  void pageIsTheSameInTextAndInBinary() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(LARGE);
    database.execute(StoreDatabase.append(3));
    DataSource text = database.dataSourceThatNeverPrepares();
    PollRequest request = new PollRequest(8, 100, 1 << 20, Positions.range(3, 4));
    try (RelayStore inText =
            new Stores(text).relayStore("kafka", Start.EARLIEST, StoreDatabase.LEASE);
        RelayStore inBinary = database.store("kafka")) {
      inText.look();
      Page page = inText.poll(request);
      assertThat(positions(page)).containsExactly(3L, 4L, 9L, 10L, 11L, 12L);
      assertThat(page.messages())
          .usingRecursiveComparison()
          .isEqualTo(inBinary.poll(request).messages());
    }
  }

  @Test
  void openPositionsBeyondTheStatementsLimitAreNotTakenForHoles() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(LedgerPoll.OPEN_MIN + 10));
    long high = LedgerPoll.OPEN_MIN + 10;
    try (RelayStore store = database.store("kafka")) {
      store.look();
      database.execute(StoreDatabase.append(1));
      Page page = store.poll(new PollRequest(high, 10, 1 << 20, Positions.range(1, high)));
      assertThat(page.messages()).hasSize(LedgerPoll.OPEN_MIN);
      assertThat(page.readTo()).isEqualTo(high);
      assertThat(page.withheld()).isEqualTo(Positions.range(LedgerPoll.OPEN_MIN + 1, high));
      assertThat(page.more()).isTrue();
    }
  }

  @Test
  void planWalksThePrimaryKeysHoweverStaleTheStatistics() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute("ANALYZE outledger_message");
    database.execute(StoreDatabase.append(100_000));
    long before = scans(database, "seq_tup_read");
    try (RelayStore store = database.store("kafka")) {
      store.look();
      for (int i = 0; i < 20; i++) {
        store.poll(new PollRequest(50_000, 10, 1000, Positions.range(3, 4)));
      }
    }
    // A session reports what it has read when it ends.
    Await.until(
        "the session's reads are reported",
        Duration.ofSeconds(10),
        () -> scans(database, "idx_scan") >= 40);
    assertThat(scans(database, "seq_tup_read")).isEqualTo(before);
    assertThat(scans(database, "idx_tup_fetch")).isLessThan(2000);
  }

  @Test
  void unionHasNoColumnToCast() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(
        "CREATE TABLE polled (a, b, c, d, e, f, g, h, i) AS SELECT "
            + LedgerPoll.COLUMNS
            + " FROM outledger_message m");
    assertThat(
            database.number(
                "SELECT count(*) FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid"
                    + " WHERE a.attrelid = 'polled'::regclass AND t.typtype = 'd'"))
        .isZero();
  }

  private static long scans(StoreDatabase database, String column) throws SQLException {
    return database.number(
        "SELECT coalesce("
            + column
            + ", 0) FROM pg_stat_user_tables"
            + " WHERE relname = 'outledger_message'");
  }

  private static List<Long> positions(Page page) {
    return page.messages().stream().map(LedgerMessage::position).toList();
  }
}
