// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.CursorRow;
import io.outledger.store.LeaseGrant;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class CursorSaveIT {

  @Test
  void onlyOneOfTwoOwnersTakesTheLease() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try (RelayStore first = database.store("kafka");
        RelayStore second = database.store("kafka")) {
      for (int round = 0; round < 50; round++) {
        CursorRow seen = first.look();
        Future<Boolean> one = pool.submit(() -> takes(first, seen));
        Future<Boolean> two = pool.submit(() -> takes(second, seen));
        assertThat(one.get() ^ two.get()).as("round %d", round).isTrue();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void ownerIsFencedAfterItsSuccessorsRowsWerePurged() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(3));
    try (RelayStore store = database.store("kafka");
        RelayStore later = database.store("kafka")) {
      OwnerByHand frozen = OwnerByHand.of(store);
      OwnerByHand successor = OwnerByHand.of(later);
      for (int i = 0; i < 20; i++) {
        successor.save(List.of(), Positions.NONE);
      }
      later.purgeCursor(successor.n);
      assertThat(database.number("SELECT count(*) FROM outledger_cursor")).isLessThan(10);
      database.execute("DELETE FROM outledger_cursor WHERE n < " + successor.n);
      assertThat(frozen.save(List.of(), Positions.NONE)).isInstanceOf(SaveOutcome.Fenced.class);
      assertThat(database.number("SELECT min(n) FROM outledger_cursor")).isEqualTo(successor.n);
    }
  }

  @Test
  void rowOfTakeOverIsKeptSoThatItsNumberIsNeverFreeAgain() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand first = OwnerByHand.of(store);
      OwnerByHand second = OwnerByHand.of(store);
      for (int i = 0; i < 20; i++) {
        second.save(List.of(), Positions.NONE);
      }
      store.purgeCursor(second.n);
      assertThat(database.query("SELECT n FROM outledger_cursor WHERE taken ORDER BY n"))
          .contains("" + (first.n + 1));
    }
  }

  @Test
  void fencedSaveLeavesNoParkedRowAndNoHole() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(3));
    try (RelayStore store = database.store("kafka");
        RelayStore later = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      owner.frontier = owner.frontier.readTo(3).settle(Positions.of(1));
      OwnerByHand.of(later);
      SaveOutcome outcome = owner.save(List.of(park(1)), Positions.of(2));
      assertThat(outcome).isInstanceOf(SaveOutcome.Fenced.class);
      assertThat(database.number("SELECT count(*) FROM outledger_parked")).isZero();
      assertThat(database.number("SELECT count(*) FROM outledger_hole")).isZero();
    }
  }

  @Test
  void saveThatMeetsItsNumberTakenIsFenced() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      database.execute(
          """
          CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            IF NEW.incarnation = '%s' THEN
              INSERT INTO public.outledger_cursor SELECT (jsonb_populate_record(NEW,
                jsonb_build_object('incarnation', gen_random_uuid()))).*;
            END IF;
            RETURN NEW;
          END $$;
          CREATE TRIGGER meanwhile BEFORE INSERT ON outledger_cursor
            FOR EACH ROW EXECUTE FUNCTION meanwhile()\
          """
              .formatted(owner.incarnation));
      assertThat(owner.save(List.of(park(1)), Positions.NONE))
          .isInstanceOf(SaveOutcome.Fenced.class);
      assertThat(database.number("SELECT count(*) FROM outledger_parked")).isZero();
    }
  }

  private static long idleTimeoutMillis(Session session) throws SQLException {
    String setting = "SELECT setting FROM pg_settings WHERE name = ?";
    PreparedStatement select = session.prepare(setting);
    select.setString(1, "idle_in_transaction_session_timeout");
    try (ResultSet row = select.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void frozenOwnerDoesNotBlockItsSuccessorForLongerThanTheIdleTimeout() throws Exception {
    StoreDatabase database = StoreDatabase.create();
    Duration lease = Duration.ofSeconds(2);
    CursorKey key = new CursorKey("kafka", 0);
    try (RelayStore store = database.stores().relayStore("kafka", Start.EARLIEST, lease);
        Session frozen =
            Session.open(database.dataSource(), SessionSettings.relay("kafka", lease))) {
      CursorRow row = store.look();
      UUID incarnation = UUID.randomUUID();
      LeaseGrant grant = store.takeOver(row, incarnation, lease, () -> {}).orElseThrow();
      CursorSave save = new CursorSave(new Tables("public"), key);
      frozen.connection().setAutoCommit(false);
      save.save(
          frozen,
          new Save(
              grant.n(),
              incarnation,
              grant.server(),
              lease,
              Frontier.START,
              Positions.NONE,
              Positions.NONE,
              List.of(),
              null,
              Set.of()));
      assertThat(idleTimeoutMillis(frozen)).isBetween(1L, lease.toMillis() - 1);
      assertThat(store.takeOver(store.look(), UUID.randomUUID(), lease, () -> {})).isPresent();
      assertThatThrownBy(() -> frozen.connection().commit()).isInstanceOf(SQLException.class);
      frozen.closeAfter(new SQLException("expected"));
    }
  }

  @Test
  void terminatedSessionIsReportedAndTheNextCallOpensAnother() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(2));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand relay = OwnerByHand.of(store);
      for (int i = 0; i < 5; i++) {
        database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE application_name = 'outledger relay kafka' AND datname = '"
                + database.name()
                + "'");
        assertThatThrownBy(() -> store.poll(new PollRequest(0, 10, 1000, Positions.NONE)))
            .isInstanceOfSatisfying(
                StoreException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        assertThat(store.poll(new PollRequest(0, 10, 1000, Positions.NONE)).messages()).hasSize(2);
      }
      assertThat(relay.save(List.of(), Positions.NONE)).isInstanceOf(SaveOutcome.Saved.class);
    }
  }

  @Test
  void cursorRowStaysSmallWhileThousandsOfHolesOverflow() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute("SELECT setval('outledger_message_position', 1000000)");
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand relay = OwnerByHand.of(store);
      PositionsBuilder holes = new PositionsBuilder();
      for (long position = 10; position <= 900_000; position += 10) {
        holes.add(position, position);
      }
      Positions overflow = holes.build();
      relay.frontier = new Frontier(900_010, overflow.union(Positions.of(900_007, 900_009)));
      relay.save(List.of(), overflow);
      relay.save(List.of(), overflow);
      assertThat(database.number("SELECT max(pg_column_size(c.*)) FROM outledger_cursor c"))
          .isLessThan(64 * 1024);
      assertThat(database.number("SELECT count(*) FROM outledger_hole")).isEqualTo(90_000);
      Positions fewer = overflow.minus(Positions.range(1, 500_000));
      relay.frontier = relay.frontier.settle(Positions.range(1, 500_000));
      relay.save(List.of(), fewer);
      assertThat(database.number("SELECT count(*) FROM outledger_hole")).isEqualTo(40_000);
      OwnerByHand successor = OwnerByHand.of(store);
      assertThat(successor.frontier).isEqualTo(relay.frontier);
      assertThat(successor.overflow).isEqualTo(fewer);
      relay = successor;
      relay.frontier = relay.frontier.settle(Positions.range(1, 900_006));
      relay.save(List.of(), Positions.NONE);
      assertThat(database.number("SELECT count(*) FROM outledger_hole")).isZero();
    }
  }

  @Test
  void settingsAreSetBackWhenTheConnectionReturnsToItsPool() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    try (Connection pooled = database.connect()) {
      pooled.setAutoCommit(false);
      try (Session session =
          Session.open(
              new OneConnection(pooled), SessionSettings.relay("kafka", StoreDatabase.LEASE))) {
        session.prepare("SELECT 1");
        assertThat(setting(pooled, "jit")).isEqualTo("off");
        assertThat(setting(pooled, "search_path")).isEqualTo("pg_catalog");
      }
      assertThat(pooled.getAutoCommit()).isFalse();
      assertThat(setting(pooled, "jit")).isEqualTo("on");
      assertThat(setting(pooled, "search_path")).contains("public");
      assertThat(setting(pooled, "enable_seqscan")).isEqualTo("on");
    }
  }

  private static String setting(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        var row = statement.executeQuery("SHOW " + name)) {
      row.next();
      return row.getString(1);
    }
  }

  private static boolean takes(RelayStore store, CursorRow seen) {
    return store.takeOver(seen, UUID.randomUUID(), StoreDatabase.LEASE, () -> {}).isPresent();
  }

  private static ParkedChange park(long position) {
    Message message = Message.to("orders", "order.placed").key("k").build();
    return new ParkedChange.Park(
        new ParkedMessage(position, "", message, ParkedState.DEAD, 1, false, null, false, 0, null),
        "no",
        null);
  }
}
