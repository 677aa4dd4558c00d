// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.sql.Sql;
import io.outledger.receive.ParkedReceived;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.relay.Relay;
import io.outledger.servers.Await;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rights that docs/databases.md grants are enough for each role. */
class RightsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Delivery LATER = Delivery.after(Duration.ofDays(1));

  private static final String VIEWS =
      """
      SELECT v.TABLE_NAME FROM information_schema.VIEWS v
       WHERE v.TABLE_SCHEMA = {name} ORDER BY v.TABLE_NAME\
      """;

  @ParameterizedTest
  @EnumSource
  void oneUserAppendsAndAnotherOneRelaysAndPurges(ChangeFilesIT.On server) throws SQLException {
    try (TestDatabase database = server.open().withTables()) {
      DataSource relay = relay(database);
      Schema.of(relay).apply(relay); // what is there needs no right to make it
      DataSource writer = writer(database).dataSource();
      RecordingPublisher publisher = new RecordingPublisher();
      try (Outledger relays = Outledger.builder(relay).build();
          Outledger writes = Outledger.builder(writer).withoutRetention().build()) {
        relays.relay("all").to(publisher).start();
        rollBack(writes, writer);
        writes.outbox().inNewTransaction(order());
        Await.until(
            "the order is published, and the hole below it is gone",
            PATIENCE,
            () -> publisher.messages().size() == 1 && isNothingOpen(relays));
        assertThat(relays.retention().purgeMessages(Duration.ofDays(7))).isZero();
      }
    }
  }

  /** As it would stand still at the first hole. */
  @Test
  void relayOnAnEarlyVersionIsToldWhichRightItNeedsBesides() {
    try (TestDatabase database = TestDatabase.onMySql().withTables()) {
      DataSource early =
          new GrantedUser(database, DocumentedRights.ofRelay(database).subList(0, 1)).dataSource();
      RelaySubscription all =
          new RelaySubscription(new CursorKey("all", 0), Start.EARLIEST, TestDatabase.LEASE);
      try (RelayStore store = database.database().relayStore(early, all)) {
        if (DocumentedRights.isEarly(database)) {
          assertThatThrownBy(store::look)
              .isInstanceOf(ConfigurationException.class)
              .hasMessageStartingWith("OUT-020")
              .hasMessageContaining("GRANT SELECT ON *.*");
        } else {
          assertThat(store.look()).isNotNull();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoMayMakeTheTablesMakesThemAndAppliesThemAgain(ChangeFilesIT.On server) {
    try (TestDatabase database = server.open()) {
      DataSource maker =
          new GrantedUser(
                  database,
                  DocumentedRights.of("makes the tables, or applies them again", "*", database))
              .dataSource();
      Schema schema = Schema.of(maker);
      schema.apply(maker);
      database.execute("DROP VIEW {schema}.outledger_lag");
      schema.apply(maker);
      schema.check(maker);
      assertThat(database.number("SELECT COUNT(*) FROM {schema}.outledger_gate")).isEqualTo(16);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoAppendsAndSchedulesCancelsAndReplacesToo(ChangeFilesIT.On server) throws SQLException {
    try (TestDatabase database = server.open().withTables()) {
      GrantedUser writer = writer(database);
      DocumentedRights.of("appends and [schedules](scheduled.md)", "outledger_scheduled", database)
          .forEach(writer::grant);
      try (Outledger writes = Outledger.builder(writer.dataSource()).withoutRetention().build();
          Outledger relays = Outledger.builder(relay(database)).build()) {
        UUID id = writes.outbox().inNewTransaction(order(), LATER);
        writes.outbox().inNewTransaction(order(), LATER.named("b"));
        writes.outbox().inNewTransaction(order(), Delivery.after(Duration.ZERO).replacing("b"));
        assertThat(
                writes
                    .transactions()
                    .<Boolean, SQLException>call(c -> writes.outbox().cancel(c, id)))
            .isTrue();
        relays.moveScheduled();
        assertThat(database.number("SELECT COUNT(*) FROM {schema}.outledger_message")).isOne();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoRelaysAlsoHandlesAndReceives(ChangeFilesIT.On server) throws Exception {
    try (TestDatabase database = server.open().withTables();
        Outledger outledger = Outledger.builder(relay(database)).build()) {
      AtomicInteger handled = new AtomicInteger();
      outledger.outbox().inNewTransaction(order());
      try (Relay relay =
          outledger
              .relay("mail")
              .handler("mail", (connection, message) -> handled.incrementAndGet())
              .build()) {
        relay.drain(PATIENCE);
      }
      assertThat(handled).hasValue(1);
      receive(outledger);
      assertThat(database.number("SELECT COUNT(*) FROM {schema}.outledger_inbox"))
          .as("one is handled and three are received")
          .isEqualTo(4);
    }
  }

  /** One twice; another one is parked, holds the next of its key, and is tried again. */
  private static void receive(Outledger outledger) throws Exception {
    ReceiverStore store =
        ((ParkingHandler) outledger.inbox("stock").handler((connection, message) -> {})).store();
    assertThat(store.process(List.of(received("1", null)), 10).held()).isEmpty();
    assertThat(
            outledger
                .transactions()
                .<InboxOutcome, Exception>call(
                    c -> outledger.inbox("stock").process(c, received("1", null), () -> {})))
        .isEqualTo(InboxOutcome.DUPLICATE);
    store.park(
        received("2", "k"),
        new ParkedFailure(ParkedState.RETRYING, true, 1, "no", Duration.ZERO),
        10);
    assertThat(store.process(List.of(received("3", "k")), 10).held()).hasSize(1);
    ParkedReceived due = store.due(10).get(0);
    store.fail(
        due,
        new ParkedFailure(
            ParkedState.RETRYING, true, 2, "no", Duration.ZERO, FailedAttempt.UNTIMED));
    due = store.due(10).get(0);
    assertThat(store.retry(due)).isTrue();
    assertThat(store.retry(store.next(due).orElseThrow())).isTrue();
  }

  private static Received received(String id, @Nullable String key) {
    return new Received("s", id, "orders", key, "t", 1, new byte[0], Map.of(), null, "", "");
  }

  @ParameterizedTest
  @EnumSource
  void viewsAreReadWithoutARightOnATable(ChangeFilesIT.On server) throws SQLException {
    try (TestDatabase database = server.open().withTables()) {
      List<String> views = views(database);
      assertThat(views).contains("outledger_lag", "outledger_pending", "outledger_readable");
      for (String view : views) {
        DataSource person =
            new GrantedUser(
                    database,
                    DocumentedRights.of(
                        view.equals("outledger_readable") ? "reads payloads" : "looks at views",
                        view,
                        database))
                .dataSource();
        try (Connection connection = person.getConnection()) {
          Sql.in(database.tables(), connection, "SELECT * FROM {schema}." + view).rows(row -> view);
          assertThatThrownBy(
                  Sql.in(
                          database.tables(),
                          connection,
                          "SELECT COUNT(*) FROM {schema}.outledger_message")
                      ::number)
              .isInstanceOf(SQLException.class);
        }
      }
    }
  }

  private static List<String> views(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect()) {
      return Sql.in(database.tables(), connection, VIEWS).rows(row -> row.getString(1));
    }
  }

  private static Message order() {
    return Message.to("orders", "order.placed").build();
  }

  private static void rollBack(Outledger writes, DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      writes.outbox().append(connection, order());
      connection.rollback();
    }
  }

  private static boolean isNothingOpen(Outledger relays) {
    return relays.admin().subscriptions().stream()
        .allMatch(
            each -> each.cursor().high() > 0 && each.cursor().lowest() > each.cursor().high());
  }

  private static GrantedUser writer(TestDatabase database) {
    return new GrantedUser(database, DocumentedRights.ofWriter());
  }

  private static DataSource relay(TestDatabase database) {
    return new GrantedUser(database, DocumentedRights.ofRelay(database)).dataSource();
  }
}
