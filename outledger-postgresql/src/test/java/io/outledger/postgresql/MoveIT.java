// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ConfigurationException;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.Moved;
import io.outledger.servers.Await;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A subscription is moved while its owner saves on: it always goes where it was told to. */
class MoveIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Whoever inserts a row that takes a cursor away waits here, where a hanging server would. */
  private static final String STALL =
      """
      CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.taken THEN PERFORM pg_catalog.pg_advisory_xact_lock(4711); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER stall BEFORE INSERT ON outledger_cursor
        FOR EACH ROW EXECUTE FUNCTION stall()\
      """;

  private static final String TIME_OF_8 =
      """
      SELECT to_char(m.time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        FROM outledger_message m WHERE m.position = 8\
      """;

  private static final String WAITING =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";

  private final StoreDatabase database = StoreDatabase.create();
  private final Subscriptions subscriptions = Subscriptions.of(database.dataSource(), "public");
  private final ExecutorService pool = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    pool.shutdownNow();
  }

  @Test
  void moveBackKeepsOpenWhatWasNotSettledBelowIt() throws Exception {
    assertThat(publishedAfter(() -> Start.at(8))).containsExactly(2L, 5L, 8L, 9L, 10L);
    assertThat(publishedAfter(() -> Start.at(11))).containsExactly(2L, 5L);
    assertThat(publishedAfter(() -> Start.at(Instant.parse(database.query(TIME_OF_8).get(0)))))
        .containsExactly(2L, 5L, 8L, 9L, 10L);
  }

  @Test
  void skipPassesOverWhatWasNotSettledBelowIt() throws Exception {
    database.execute(StoreDatabase.append(12));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      owner.frontier = new Frontier(8, Positions.of(2, 5));
      owner.save(List.of(), Positions.of(2));
      subscriptions.skip("kafka", Start.at(11));
      assertThat(positions(OwnerByHand.of(store).readAndSettle())).containsExactly(11L, 12L);
    }
  }

  /** Moves a subscription that has not settled 2, which is not committed yet, nor 5. */
  private List<Long> publishedAfter(Callable<Start> start) throws Exception {
    database.execute("TRUNCATE outledger_message, outledger_cursor RESTART IDENTITY");
    try (RelayStore store = database.store("kafka");
        Connection late = database.connect();
        Statement writer = late.createStatement()) {
      database.execute(StoreDatabase.append(1));
      late.setAutoCommit(false);
      writer.execute(StoreDatabase.append(1));
      for (int position = 3; position <= 10; position++) {
        database.execute(StoreDatabase.append(1));
      }
      OwnerByHand owner = OwnerByHand.of(store);
      owner.frontier = new Frontier(10, Positions.of(2, 5));
      owner.save(List.of(), Positions.of(2));
      subscriptions.move("kafka", start.call());
      late.commit();
      return positions(OwnerByHand.of(store).readAndSettle());
    }
  }

  @Test
  void moveThatHangsInTheServerTakesEffectAboveWhatTheOwnerHasSavedMeanwhile() throws Exception {
    database.execute(StoreDatabase.append(10));
    try (RelayStore store = database.store("kafka");
        Connection staller = database.connect();
        Statement lock = staller.createStatement()) {
      OwnerByHand owner = OwnerByHand.of(store);
      owner.readAndSettle();
      long wanted = owner.n + 1;
      database.execute(STALL);
      lock.execute("SELECT pg_advisory_lock(4711)");
      CompletableFuture<Moved> moved =
          CompletableFuture.supplyAsync(() -> subscriptions.move("kafka", Start.at(4)), pool);
      Await.until("it hangs", PATIENCE, () -> database.number(WAITING) > 0);
      for (int i = 0; i < 3; i++) {
        owner.save(List.of(), Positions.NONE);
      }
      database.execute("DELETE FROM outledger_cursor WHERE NOT taken AND n = " + wanted);
      lock.execute("SELECT pg_advisory_unlock(4711)");
      assertThat(moved.get(30, TimeUnit.SECONDS)).isEqualTo(new Moved(10, 3));
      assertThat(owner.save(List.of(), Positions.NONE)).isInstanceOf(SaveOutcome.Fenced.class);
      assertThat(database.admin().subscriptions().get(0).cursor().high()).isEqualTo(3);
      assertThat(positions(OwnerByHand.of(store).readAndSettle()))
          .containsExactly(4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }
  }

  /** Each round writes on, so that the owner ages holes, saves and is thinned all the time. */
  @Test
  void everyMoveToATimeTakesEffectBesideAnOwnerThatSavesAndThins() throws Exception {
    database.execute(StoreDatabase.append(50_000));
    AtomicBoolean ends = new AtomicBoolean();
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand.of(store);
      Future<Integer> saving = pool.submit(() -> saveOn(store, ends));
      for (int round = 0; round < 15; round++) {
        database.execute("BEGIN; " + StoreDatabase.append(2) + "; ROLLBACK");
        database.execute(StoreDatabase.append(100));
        Instant time = instantOf(50_000 + round * 102L + 3);
        long before = newest();
        Moved moved = place(Start.at(time));
        assertThat(moved.to()).isBetween(50_000 + round * 102L, 50_000 + round * 102L + 2);
        assertThat(
                database.query(
                    "SELECT high FROM outledger_cursor WHERE taken AND open_first = '{}' AND n > "
                        + before))
            .as("an owner that the move before has fenced may have taken over again first")
            .contains(Long.toString(moved.to()));
      }
      ends.set(true);
      assertThat(saving.get()).isPositive();
    }
  }

  /** Forward, or back where the owner has come further meanwhile. */
  private Moved place(Start start) {
    try {
      return subscriptions.skip("kafka", start);
    } catch (ConfigurationException e) {
      assertThat(e).hasMessageContaining("A skip reads nothing again");
      return subscriptions.move("kafka", start);
    }
  }

  @Test
  void holeDirectlyBelowTheFirstMessageOfATimeIsOpen() throws Exception {
    assertGapIsOpen(false);
  }

  @Test
  void holeDirectlyBelowTheFirstMessageOfATimeIsOpenForANewSubscriptionToo() throws Exception {
    assertGapIsOpen(true);
  }

  private void assertGapIsOpen(boolean isNew) throws Exception {
    database.execute(StoreDatabase.append(3));
    try (Connection writer = database.connect();
        Statement late = writer.createStatement()) {
      writer.setAutoCommit(false);
      late.execute(StoreDatabase.append(1));
      database.execute("SELECT pg_sleep(0.01)");
      database.execute(StoreDatabase.append(2));
      Start start = Start.at(instantOf(5));
      try (RelayStore store = database.store("kafka", isNew ? start : Start.EARLIEST)) {
        store.look();
        if (!isNew) {
          assertThat(subscriptions.skip("kafka", start)).isEqualTo(new Moved(0, 4));
        }
        OwnerByHand owner = OwnerByHand.of(store);
        assertThat(positions(owner.readAndSettle())).containsExactly(5L, 6L);
        writer.commit();
        assertThat(positions(owner.readAndSettle())).containsExactly(4L);
      }
    }
  }

  @Test
  void holesOfBeforeAMoveAreForgottenWithIt() throws Exception {
    database.execute(StoreDatabase.append(3));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      owner.frontier = owner.frontier.readTo(3).settle(Positions.of(1, 3));
      owner.save(List.of(), Positions.of(2));
      subscriptions.skip("kafka", Start.NOW);
      OwnerByHand moved = OwnerByHand.of(store);
      assertThat(moved.overflow).isEqualTo(Positions.NONE);
      assertThat(moved.frontier.open()).isEqualTo(Positions.NONE);
    }
  }

  private static int saveOn(RelayStore store, AtomicBoolean ends) {
    int saves = 0;
    while (!ends.get()) {
      OwnerByHand owner;
      try {
        owner = OwnerByHand.of(store);
      } catch (NoSuchElementException e) { // a move came between the look and the take-over
        continue;
      }
      boolean isOwner = true;
      while (isOwner && !ends.get()) {
        owner.readAndSettle();
        long before = owner.n;
        isOwner = owner.save(List.of(), Positions.NONE) instanceof SaveOutcome.Saved;
        if (isOwner && before % 7 == 0) {
          store.purgeCursor(owner.n);
        }
        saves++;
      }
    }
    return saves;
  }

  private long newest() throws SQLException {
    return database.number("SELECT max(n) FROM outledger_cursor");
  }

  private Instant instantOf(long position) throws SQLException {
    return Instant.parse(
        database
            .query(
                "SELECT to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
                    + " FROM outledger_message WHERE position = "
                    + position)
            .get(0));
  }

  private static List<Long> positions(Page page) {
    return page.messages().stream().map(LedgerMessage::position).toList();
  }
}
