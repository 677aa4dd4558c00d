// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Admin;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.MessageQuery;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedPoint;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.RequestQuery;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.SagaQuery;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.RetentionStore;
import io.outledger.jdbc.spi.StatusStore;
import io.outledger.publish.Outcome;
import io.outledger.receive.ParkedReceived;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.servers.Await;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** What each role does all day, every statement of it. */
final class RightsStories {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private RightsStories() {}

  static void appends(StoreDatabase database, DataSource writer) throws SQLException {
    try (Outledger outledger = Outledger.builder(writer).build()) {
      outledger.outbox().inNewTransaction(LiveRelay.message("k", "a"), LiveRelay.message("k", "b"));
    }
    assertThat(database.number("SELECT count(*) FROM outledger_message")).isEqualTo(2);
  }

  private static final String ENDED =
      "INSERT INTO outledger_declaration"
          + " (reader_kind, reader, route, takes, what, revision, ended, declared_by)"
          + " VALUES ('consumer', 'ended', '', 'EVERYTHING', '', 1, true, 'somebody')";

  static void receives(StoreDatabase database, DataSource consumer) throws Exception {
    database.execute(ENDED);
    try (Outledger outledger = Outledger.builder(consumer).build();
        Connection connection = consumer.getConnection()) {
      connection.setAutoCommit(false);
      Received one =
          new Received("s", "1", "orders", null, "t", 1, new byte[0], Map.of(), null, "", "");
      Received two =
          new Received("s", "2", "orders", null, "t", 1, new byte[0], Map.of(), null, "", "");
      outledger.inbox("ended").handler((c, message) -> {}).handle(List.of());
      JdbcInbox inbox = outledger.inbox("stock");
      assertThat(inbox.process(connection, one, () -> {})).isEqualTo(InboxOutcome.PROCESSED);
      assertThat(inbox.process(connection, one, () -> {})).isEqualTo(InboxOutcome.DUPLICATE);
      connection.commit();
      assertThatThrownBy(() -> inbox.handler(RightsStories::commitsByItself).handle(List.of(two)))
          .isInstanceOfSatisfying(
              ReceiveFailedException.class,
              e -> assertThat(e.getCause()).hasNoSuppressedExceptions());
    }
    assertThat(database.number("SELECT count(*) FROM outledger_inbox")).isEqualTo(1);
  }

  /** Parks, holds, tries again, discards and recovers. */
  static void parks(StoreDatabase database, DataSource consumer) throws Exception {
    Received one =
        new Received("s", "1", "orders", "k", "t", 1, new byte[0], Map.of(), null, "", "");
    Received two =
        new Received("s", "2", "orders", "k", "t", 1, new byte[0], Map.of(), null, "", "");
    Received bad =
        new Received("s", "3", "orders", null, "t", 1, new byte[0], Map.of(), null, "", "");
    database.execute(ENDED);
    try (Outledger outledger = Outledger.builder(consumer).build()) {
      BatchHandler ended = outledger.inbox("ended").handler((c, message) -> {});
      ((ParkingHandler) ended).store().carryOutRequests(1);
      JdbcInbox inbox = outledger.inbox("stock");
      ReceiverStore store = ((ParkingHandler) inbox.handler((c, message) -> {})).store();
      Duration now = Duration.ZERO;
      ParkedFailure failed = new ParkedFailure(ParkedState.RETRYING, true, 1, "no", now);
      store.park(one, failed, 10);
      store.park(bad, new ParkedFailure(ParkedState.DEAD, false, 1, "no", now), 10);
      assertThat(store.process(List.of(two), 10).held()).hasSize(1);
      try (Outledger operator = Outledger.builder(database.dataSource()).build()) {
        operator.inbox("stock").parked().discard(ParkedSelection.of(ParkedState.DEAD));
      }
      assertThat(store.carryOutRequests(10)).hasSize(1);
      ParkedReceived due = store.due(10).get(0);
      int eleventh = FailedAttempt.FIRST_KEPT + FailedAttempt.LAST_KEPT + 1;
      store.fail(
          due,
          new ParkedFailure(
              ParkedState.RETRYING, true, eleventh, "no", now, FailedAttempt.UNTIMED));
      due = store.due(10).get(0);
      assertThat(store.retry(due)).isTrue();
      assertThat(store.retry(store.next(due).orElseThrow())).isTrue();
      ReceiverStore broken =
          ((ParkingHandler) inbox.handler(RightsStories::commitsByItself)).store();
      Received four =
          new Received("s", "4", "orders", null, "t", 1, new byte[0], Map.of(), null, "", "");
      assertThatThrownBy(() -> broken.process(List.of(four), 10)).hasNoSuppressedExceptions();
    }
    assertThat(database.number("SELECT count(*) FROM outledger_inbox")).isEqualTo(3);
    assertThat(database.number("SELECT count(*) FROM outledger_inbox_parked")).isZero();
  }

  private static void commitsByItself(Connection connection, Received message) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("COMMIT");
    }
  }

  /** Publishes, parks, holds, tries again, ages and drops holes, and keeps its cursor small. */
  static void relays(StoreDatabase database, DataSource role) throws Exception {
    Outledger.builder(role).build().close();
    try (StoreBench bench = new StoreBench(database);
        Connection late = bench.begin()) {
      bench.options = options();
      bench.publisher.rejectWhen(
          message -> !"good".equals(message.key()),
          new Outcome.Rejected("no", Outcome.Rejected.Kind.DEFINITE));
      Stores stores = new Stores(role);
      RelayStore store =
          stores.relayStore(StoreBench.SUBSCRIPTION, Start.NOW, bench.options.lease());
      Relay relay = bench.relay(bench.clock, store);
      bench.steps(relay, 1);
      store.declareAgain(Set.of(Declaration.everything("")));
      bench.append(late, "good", 1, 1);
      bench.append("bad", 2, 3);
      bench.append("good", 4, 4);
      await(bench, relay, RelayEvent.Died.class);
      // For so long that the hole ages, its writer is looked for, rows are purged, all is checked.
      for (int i = 0; i < 130; i++) {
        bench.clock.advance(Duration.ofMillis(500));
        bench.steps(relay, 1);
        refuseNothing(bench);
      }
      assertThat(store.blockers()).contains("writes the ledger");
      late.commit();
      rollBackOne(bench);
      bench.append("good", 5, 5);
      ParkedMessages.of(database.dataSource(), "public", "kafka").discard(2, "");
      await(bench, relay, RelayEvent.Discarded.class);
      await(bench, relay, RelayEvent.HolesDropped.class);
      refuseNothing(bench);
      assertThat(bench.published()).contains("good1", "good4", "good5");
      assertThat(database.number("SELECT count(*) FROM outledger_late")).isPositive();
    }
    announces(role);
  }

  private static void announces(DataSource role) {
    StatusStore table = new PostgresDatabase(new Tables("public")).status(role);
    CursorKey key = new CursorKey("kafka", 0);
    RelayStatus running = new RelayStatus(RelayStatus.State.RUNNING, null, null);
    table.write(List.of(new StatusStore.Entry(key, "web-1", running, Duration.ZERO)));
    RelayStatus ended = new RelayStatus(RelayStatus.State.STOPPED, "", null);
    table.write(List.of(new StatusStore.Entry(key, "web-1", ended, Duration.ZERO)));
  }

  private static RelayOptions options() {
    Backoff soon = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));
    return StoreBench.options()
        .holes(h -> h.withRangesInRowMax(0))
        .retry(RetryPolicy.DEFAULT.withAttemptsMax(2).withBackoff(soon))
        .build();
  }

  private static void await(StoreBench bench, Relay relay, Class<? extends RelayEvent> type) {
    Await.until(
        () -> type + " after " + bench.events,
        PATIENCE,
        () -> {
          bench.clock.advance(Duration.ofMillis(500));
          bench.steps(relay, 1);
          refuseNothing(bench);
          return !bench.events(type).isEmpty();
        });
  }

  /** The relay goes on by itself after a refused statement, and tells its listener. */
  private static void refuseNothing(StoreBench bench) {
    List<RelayEvent.StoreFailed> failures = bench.events(RelayEvent.StoreFailed.class);
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.toString());
    }
  }

  private static void rollBackOne(StoreBench bench) throws SQLException {
    try (Connection connection = bench.begin()) {
      bench.append(connection, "ghost", 1, 1);
      connection.rollback();
    }
  }

  static void purges(StoreDatabase database, DataSource purger) throws Exception {
    database.execute(StoreDatabase.append(3));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand.of(store).readAndSettle();
    }
    database.execute(InboxSql.remember("c", new InboxId("s", "1"), "15 days"));
    database.execute(
        "INSERT INTO outledger_request (id, verb, reader_kind, reader, selection, asked_by, reason,"
            + " asked_at, state, changed_at) VALUES (gen_random_uuid(), 'delete', 'subscription',"
            + " 's', '', 'anna', 'old', now() - interval '401 days', 'done',"
            + " now() - interval '401 days')");
    try (Outledger outledger = Outledger.builder(purger).build()) {
      assertThat(outledger.retention().purgeRequests()).isEqualTo(1);
      assertThat(outledger.retention().purgeMessages(Duration.ZERO)).isEqualTo(3);
      assertThat(outledger.retention().purgeInbox(Duration.ofDays(14))).isEqualTo(1);
      RetentionStore store =
          new PostgresDatabase(new Tables(Tables.DEFAULT_SCHEMA)).retention(purger, 100);
      assertThat(store.purgeInbox(Duration.ofDays(14), Set.of("stock")).removed()).isZero();
      assertThat(outledger.retention().purgedTo()).isEqualTo(3);
    }
  }

  static void operates(StoreDatabase database, DataSource operator) throws Exception {
    database.execute(StoreDatabase.append(3));
    database.execute(
        "BEGIN; " + StoreDatabase.append(1) + "; ROLLBACK; " + StoreDatabase.append(1));
    try (RelayStore store = database.store("kafka")) {
      store.look();
      store.declare(new Declaring(Set.of(Declaration.everything("")), Set.of()));
      OwnerByHand.of(store).readAndSettle();
    }
    database.execute(InboxSql.remember("stock", new InboxId("s", "1"), "0 s"));
    database.execute(InboxSql.remember("kafka/", "kafka", "outledger_message", "0 s"));
    try (Outledger outledger = Outledger.builder(operator).build()) {
      RightsScheduled.operates(database, outledger);
      assertThat(outledger.parkedMessages("kafka").retryAll()).isZero();
      assertThat(outledger.inbox("stock").parked().retry(ParkedSelection.ALL)).isZero();
      Verb replay = new Verb.Replay("kafka", "", ReplayRange.positions(1, 2), Pace.UNLIMITED, true);
      RequestStatus replayed = outledger.requests().ask(replay.by("anna", "vendor has lost them"));
      assertThat(replayed.result()).startsWith("2 messages");
      Subscriptions subscriptions = outledger.subscriptions();
      subscriptions.skip("kafka", Start.NOW);
      rename(outledger, Verb.Rename.route("kafka", "", "mail"));
      subscriptions.move("kafka", Start.at(2));
      subscriptions.moveAndProcessAgain("kafka", Start.at(1));
      assertThat(database.admin().subscriptions()).hasSize(1);
      subscriptions.endDeclaration("kafka", Declaration.everything("mail"));
      PauseScope topic = PauseScope.topic("orders");
      outledger.requests().ask(new Verb.Pause("kafka", topic).by("anna", "vendor down"));
      outledger.requests().ask(new Verb.Resume("kafka", topic).by("anna", "it is back"));
      rename(outledger, Verb.Rename.consumer("stock", "store"));
      rename(outledger, Verb.Rename.subscription("kafka", "events"));
      subscriptions.delete("kafka"); // the name may be used again
      subscriptions.delete("events");
      assertThat(database.admin().subscriptions()).isEmpty();
    }
  }

  private static void rename(Outledger operator, Verb.Rename verb) {
    RequestStatus done = operator.requests().ask(verb.by("anna", "renamed in the code"));
    assertThat(done.state()).as(done.result()).isEqualTo(RequestState.DONE);
  }

  static void administers(StoreDatabase database, DataSource reader) throws Exception {
    database.execute(StoreDatabase.append(3));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand.of(store).readAndSettle();
    }
    database.execute(InboxSql.remember("stock", new InboxId("s", "1"), "0 s"));
    Admin admin = Admin.of(reader, "public");
    assertThat(admin.overview().subscriptions()).hasSize(1);
    assertThat(admin.message(2).orElseThrow().standings()).hasSize(1);
    assertThat(admin.messages(MessageQuery.ALL).rows()).hasSize(3);
    assertThat(admin.parked(ParkedQuery.of(Reader.subscription("kafka"))).rows()).isEmpty();
    assertThat(admin.attempts(Reader.subscription("kafka"), ParkedPoint.FIRST)).isEmpty();
    assertThat(admin.attempts(Reader.consumer("stock"), ParkedPoint.FIRST)).isEmpty();
    assertThat(admin.consumers()).hasSize(1);
    assertThat(admin.holes().ranges()).isEmpty();
    assertThat(admin.declarations()).isEmpty();
    assertThat(admin.sagas().list(SagaQuery.ALL).rows()).isEmpty();
    assertThat(admin.requests(RequestQuery.ALL).rows()).isEmpty();
    assertThat(admin.why(2).sentence()).contains("published");
    assertThat(admin.why("kafka", "k1").sentence()).contains("nothing of key");
    database.execute(StoreDatabase.append(1));
    assertThat(admin.why(4).sentence()).contains("kafka"); // it waits, so pauses are looked at
  }

  static void looks(StoreDatabase database, DataSource person) throws Exception {
    try (Connection connection = person.getConnection();
        Statement statement = connection.createStatement()) {
      for (String view :
          database.query(
              "SELECT viewname FROM pg_views WHERE viewname LIKE 'outledger%'"
                  + " AND viewname <> 'outledger_readable'"
                  + " UNION SELECT unnest(ARRAY['outledger_status', 'outledger_attempt',"
                  + " 'outledger_inbox_attempt'])")) {
        statement.executeQuery("SELECT * FROM " + view).close();
      }
    }
  }

  static void reads(StoreDatabase database, DataSource person) throws Exception {
    try (Connection connection = person.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT * FROM outledger_readable").close();
    }
  }
}
