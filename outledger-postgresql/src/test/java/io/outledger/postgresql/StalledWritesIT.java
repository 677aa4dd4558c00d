// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.jdbc.Subscriptions;
import io.outledger.servers.Await;
import io.outledger.store.CursorRow;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Writes of the cursor that hang in the server, after their snapshot and before their insert. */
class StalledWritesIT {

  /** What waits for this lock waits where a hanging server would stop. */
  private static final String STALL =
      """
      CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF %s THEN PERFORM pg_catalog.pg_advisory_xact_lock(4711); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER stall BEFORE INSERT ON outledger_cursor
        FOR EACH ROW EXECUTE FUNCTION stall()\
      """;

  private static final String BLOCKED =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'relation' AND NOT granted";

  private static final String WAITING =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";

  /** With hundreds of thousands of parked rows that takes longer than a short lease lasts. */
  @Test
  void leaseBeginsOnceAllIsLoaded() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    try (RelayStore store = database.store("kafka");
        Connection staller = database.connect();
        Statement lock = staller.createStatement()) {
      CursorRow seen = store.look();
      staller.setAutoCommit(false);
      lock.execute("LOCK TABLE outledger_parked");
      AtomicBoolean asked = new AtomicBoolean();
      CompletableFuture<Optional<LeaseGrant>> taken =
          CompletableFuture.supplyAsync(
              () ->
                  store.takeOver(
                      seen, UUID.randomUUID(), StoreDatabase.LEASE, () -> asked.set(true)));
      Await.until("it hangs", Duration.ofSeconds(30), () -> database.number(BLOCKED) > 0);
      assertThat(asked).isFalse();
      String before = database.query("SELECT clock_timestamp()").get(0);
      staller.commit();
      assertThat(taken.get(30, TimeUnit.SECONDS)).isPresent();
      assertThat(asked).isTrue();
      assertThat(
              database.query(
                  "SELECT saved_at > '" + before + "' FROM outledger_cursor WHERE taken AND n = 2"))
          .containsExactly("t");
    }
  }

  @Test
  void takeOverThatFindsItsNumberFreeAgainTakesNothing() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    try (RelayStore store = database.store("kafka");
        RelayStore later = database.store("kafka");
        Connection staller = database.connect();
        Statement lock = staller.createStatement()) {
      OwnerByHand owner = OwnerByHand.of(store);
      CursorRow seen = later.look();
      database.execute(STALL.formatted("NEW.taken"));
      lock.execute("SELECT pg_advisory_lock(4711)");
      CompletableFuture<Optional<LeaseGrant>> taken =
          CompletableFuture.supplyAsync(
              () -> later.takeOver(seen, UUID.randomUUID(), StoreDatabase.LEASE, () -> {}));
      Await.until("it hangs", Duration.ofSeconds(30), () -> database.number(WAITING) > 0);
      saveAndPurge(database, owner, seen.n() + 1);
      lock.execute("SELECT pg_advisory_unlock(4711)");
      assertThat(taken.get(30, TimeUnit.SECONDS)).isEmpty();
      assertThat(
              database.number("SELECT count(*) FROM outledger_cursor WHERE n = " + (seen.n() + 1)))
          .isZero();
      assertThat(owner.save(List.of(), Positions.NONE)).isInstanceOf(SaveOutcome.Saved.class);
    }
  }

  /** Its number was used by a successor, whose rows a deletion removes but for that one. */
  @Test
  void saveThatWakesAfterItsSubscriptionWasDeletedLeavesNothingBehind() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(1));
    try (RelayStore store = database.store("kafka");
        RelayStore later = database.store("kafka");
        Connection staller = database.connect();
        Statement lock = staller.createStatement()) {
      OwnerByHand owner = OwnerByHand.of(store);
      List<LedgerMessage> messages = owner.readAndSettle().messages();
      database.execute(STALL.formatted("NEW.incarnation = '" + owner.incarnation() + "'"));
      lock.execute("SELECT pg_advisory_lock(4711)");
      CompletableFuture<SaveOutcome> saved =
          CompletableFuture.supplyAsync(
              () -> owner.save(List.of(dead(messages.get(0))), Positions.NONE));
      Await.until("it hangs", Duration.ofSeconds(30), () -> database.number(WAITING) > 0);
      OwnerByHand.of(later).readAndSettle();
      database.execute("UPDATE outledger_cursor SET lease_until = now() - interval '1 hour'");
      Subscriptions.of(database.dataSource(), "public").delete("kafka");
      lock.execute("SELECT pg_advisory_unlock(4711)");
      assertThat(saved.get(30, TimeUnit.SECONDS)).isInstanceOf(SaveOutcome.Fenced.class);
      assertThat(database.number("SELECT count(*) FROM outledger_parked")).isZero();
    }
  }

  private static ParkedChange dead(LedgerMessage message) {
    return new ParkedChange.Park(
        new ParkedMessage(
            message.position(),
            "",
            message.message(),
            ParkedState.DEAD,
            1,
            false,
            null,
            false,
            0,
            null),
        "no",
        null);
  }

  /** As a purge leaves it that has thinned out the row with the wanted number. */
  private static void saveAndPurge(StoreDatabase database, OwnerByHand owner, long wanted)
      throws SQLException {
    for (int i = 0; i < 3; i++) {
      owner.save(List.of(), Positions.NONE);
    }
    database.execute("DELETE FROM outledger_cursor WHERE NOT taken AND n = " + wanted);
  }
}
