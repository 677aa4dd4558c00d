// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.StatusStore;
import io.outledger.publish.Outcome;
import io.outledger.receive.ParkedFailure;
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
import io.outledger.store.ParkedState;
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

  private static final Duration PATIENCE = Duration.ofSeconds(30);

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
      inbox.parked().discard(ParkedSelection.of(ParkedState.DEAD));
      assertThat(store.carryOutRequests(10)).hasSize(1);
      ParkedReceived due = store.due(10).get(0);
      store.fail(due, failed);
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
    StatusTable table = new StatusTable(role, new Tables("public"));
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
    database.execute(
        "INSERT INTO outledger_inbox (processed_at, consumer, source, message_id)"
            + " VALUES (now() - interval '15 days', 'c', 's', '1')");
    try (Outledger outledger = Outledger.builder(purger).build()) {
      assertThat(outledger.retention().purgeMessages(Duration.ZERO)).isEqualTo(3);
      assertThat(outledger.retention().purgeInbox(Duration.ofDays(14))).isEqualTo(1);
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
    }
    database.execute(
        "INSERT INTO outledger_inbox (consumer, source, message_id) VALUES ('stock', 's', '1')");
    try (Outledger outledger = Outledger.builder(operator).build()) {
      assertThat(outledger.parkedMessages("kafka").retryAll()).isZero();
      assertThat(outledger.inbox("stock").parked().retry(ParkedSelection.ALL)).isZero();
      Subscriptions subscriptions = outledger.subscriptions();
      subscriptions.move("kafka", Start.NOW);
      subscriptions.move("kafka", Start.at(2));
      subscriptions.moveAndProcessAgain("kafka", Start.at(1));
      assertThat(subscriptions.list()).hasSize(1);
      subscriptions.endDeclaration("kafka", Declaration.everything(""));
      subscriptions.delete("kafka");
      assertThat(subscriptions.list()).isEmpty();
    }
  }

  static void looks(StoreDatabase database, DataSource person) throws Exception {
    try (Connection connection = person.getConnection();
        Statement statement = connection.createStatement()) {
      for (String view :
          database.query(
              "SELECT viewname FROM pg_views WHERE viewname LIKE 'outledger%'"
                  + " AND viewname <> 'outledger_readable'"
                  + " UNION SELECT 'outledger_status'")) {
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
