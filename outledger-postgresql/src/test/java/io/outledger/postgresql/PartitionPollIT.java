// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RelaySubscription.Shares;
import io.outledger.relay.Slots;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A partition's poll shows every message, and has the contents of its own alone. */
class PartitionPollIT {

  private static final Slots SLOTS = new Slots(4);
  private static final int MESSAGES = 60;
  private static final int SIZE = 1_000;

  private static final String APPEND =
      """
      INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload, headers)
      SELECT clock_timestamp(), gen_random_uuid(), 1, 'files', 'k' || i, 'file',
             convert_to(repeat('x', %s), 'UTF8'), 'a=1' FROM generate_series(1, %s) i\
      """
          .formatted(SIZE, MESSAGES);

  private static RelayStore store(StoreDatabase database, Set<Integer> wanted) {
    int first = wanted.iterator().next();
    RelaySubscription subscription =
        new RelaySubscription(
            CursorKey.ofSlot("shared", SLOTS, first),
            Start.EARLIEST,
            StoreDatabase.LEASE,
            "",
            new Shares(SLOTS, wanted));
    return new PostgresDatabase(new Tables(Tables.DEFAULT_SCHEMA))
        .relayStore(database.dataSource(), subscription);
  }

  private static List<LedgerMessage> whole(Page page) {
    return page.messages().stream().filter(each -> each.message().payload().length > 0).toList();
  }

  @Test
  void contentsOfOtherPartitionsAreNotRead() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(APPEND);
    try (RelayStore store = store(database, Set.of(2))) {
      store.look();
      Page page = store.poll(new PollRequest(0, 100, 1 << 20, Positions.NONE));
      assertThat(page.messages()).hasSize(MESSAGES);
      assertThat(page.messages()).allMatch(each -> each.unreadable() == null);
      assertThat(page.more()).isFalse();
      assertThat(whole(page))
          .hasSizeBetween(1, MESSAGES / 2)
          .allMatch(each -> SLOTS.of(each.message()) == 2)
          .allMatch(each -> each.message().payload().length == SIZE)
          .allMatch(each -> each.message().headers().containsKey("a"));
      assertThat(page.messages().stream().filter(each -> SLOTS.of(each.message()) == 2))
          .containsExactlyElementsOf(whole(page));
    }
  }

  @Test
  void pageEndsWhereItsOwnMessagesFillIt() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(APPEND);
    try (RelayStore store = store(database, Set.of(2))) {
      store.look();
      Page page = store.poll(new PollRequest(0, 100, 3 * SIZE, Positions.NONE));
      assertThat(whole(page)).hasSizeBetween(1, 3);
      assertThat(page.messages()).hasSizeLessThan(MESSAGES);
      assertThat(page.more()).isTrue();
    }
  }

  @Test
  void slotsThatShareAPollHaveTheContentsOfAllOfThem() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(APPEND);
    try (RelayStore store = store(database, Set.of(0, 3))) {
      store.look();
      Page page = store.poll(new PollRequest(0, 100, 1 << 20, Positions.NONE));
      assertThat(whole(page)).extracting(each -> SLOTS.of(each.message())).containsOnly(0, 3);
    }
  }
}
