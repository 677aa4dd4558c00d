// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Backoff;
import io.outledger.servers.Await;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A handler that harms its own session is at fault, and no outage that holds up all others. */
class HarmfulHandlersIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Backoff AT_ONCE = new Backoff(Duration.ofNanos(1), Duration.ofNanos(1));
  private static final String HARMED = "harmed";

  private final TestDatabase database = TestDatabase.create();
  private final Outledger outledger = Outledger.builder(database.dataSource()).build();
  private final List<RelayEvent> relayTold = new CopyOnWriteArrayList<>();
  private final List<ReceiverEvent> told = new CopyOnWriteArrayList<>();

  /** What a handler does, and what is said of it. */
  enum Harm {
    /** Such as a function in C that crashes, on a server that is well otherwise. */
    ENDS_ITS_SESSION(
        "SELECT pg_terminate_backend(pg_backend_pid())", "session ended or failed 5 or more"),
    NEEDS_A_FILE_THAT_IS_MISSING("LOAD 'nosuchlib'", "session ended or failed 5 or more"),
    /** Such as a foreign table whose server is down. */
    MEETS_A_LOST_CONNECTION_OF_THE_SERVER(
        "DO $$ BEGIN RAISE 'no server' USING ERRCODE = '08001'; END $$",
        "session ended or failed 5 or more"),
    WRITES_AFTER_READ_ONLY(
        "SET TRANSACTION READ ONLY; INSERT INTO effect VALUES (1)",
        "made its transaction read-only");

    private final String statement;
    private final String said;

    Harm(String statement, String said) {
      this.statement = statement;
      this.said = said;
    }

    void on(Connection connection, @Nullable String key) throws SQLException {
      try (Statement work = connection.createStatement()) {
        work.execute(HARMED.equals(key) ? statement : "INSERT INTO effect VALUES (2)");
      } catch (SQLException e) {
        throw new IllegalStateException("as a library wraps it", e);
      }
    }
  }

  @BeforeEach
  void create() {
    database.execute("CREATE TABLE effect (id int)");
  }

  @AfterEach
  void close() {
    outledger.close();
  }

  private void append(String key) {
    outledger.outbox().inNewTransaction(Message.to("orders", "placed").key(key).build());
  }

  private void stepUntil(Relay relay, Class<? extends RelayEvent> event) {
    Await.until(
        () -> "an event " + event.getSimpleName() + "; " + relayTold,
        PATIENCE,
        () -> {
          relay.step();
          return relayTold.stream().anyMatch(event::isInstance);
        });
  }

  @ParameterizedTest
  @EnumSource
  void messageOfARelayIsParkedAndTheOthersContinue(Harm harm) {
    append(HARMED);
    append("other");
    try (Relay relay =
        outledger
            .relay("app")
            .listener(relayTold::add)
            .handler("stock", (connection, message) -> harm.on(connection, message.key()))
            .build()) {
      stepUntil(relay, RelayEvent.Parked.class);
      Await.until(
          "the other message is handled",
          PATIENCE,
          () -> {
            relay.step();
            return database.count("effect") == 1;
          });
    }
    assertThat(relayTold.stream().filter(RelayEvent.Parked.class::isInstance))
        .allSatisfy(parked -> assertThat(parked.toString()).contains(harm.said, HARMED));
  }

  @ParameterizedTest
  @EnumSource
  void messageOfAReceiverIsParked(Harm harm) {
    Receiver<Integer> receiver =
        new Receiver<>(
            outledger
                .inbox("stock")
                .handler((connection, message) -> harm.on(connection, message.key())),
            new ReceiverContext(
                "test",
                ReceiverOptions.DEFAULT.withBackoff(AT_ONCE),
                told::add,
                TimeSource.system(),
                new SplittableRandom(1)));
    OneMessage source = new OneMessage(HARMED);
    for (int step = 0; step < 6; step++) {
      receiver.step(source);
    }
    assertThat(told)
        .last()
        .asInstanceOf(type(ReceiverEvent.Acknowledged.class))
        .extracting(ReceiverEvent.Acknowledged::deliveries)
        .isEqualTo(1);
    assertThat(told)
        .filteredOn(ReceiverEvent.Parked.class::isInstance)
        .singleElement()
        .satisfies(parked -> assertThat(parked.toString()).contains(harm.said));
    assertThat(database.query("SELECT attempts FROM outledger_inbox_parked")).containsExactly("1");
  }

  @Test
  void outboxOfATransactionThatWasMadeReadOnlyIsTheHandlersFault() {
    append(HARMED);
    try (Relay relay =
        outledger
            .relay("app")
            .listener(relayTold::add)
            .handler(
                "stock",
                (connection, message) -> {
                  try (Statement work = connection.createStatement()) {
                    work.execute("SET TRANSACTION READ ONLY");
                  }
                  outledger.outbox().append(connection, Message.to("t", "reply").build());
                })
            .build()) {
      stepUntil(relay, RelayEvent.Parked.class);
    }
    assertThat(relayTold.toString()).contains("made its transaction read-only");
  }

  /** Returns once the server has ended a session, because it was idle for too long. */
  private void outlast(Connection connection) throws SQLException {
    try (Statement work = connection.createStatement();
        ResultSet row = work.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      int session = row.getInt(1);
      work.execute("SET idle_in_transaction_session_timeout = 1");
      Await.until(
          "the server has ended the session",
          PATIENCE,
          () ->
              database
                  .query("SELECT count(*) FROM pg_stat_activity WHERE pid = " + session)
                  .equals(List.of("0")));
    }
  }

  private void outlasts(boolean appends) {
    append(HARMED);
    append("other");
    try (Relay relay =
        outledger
            .relay("app")
            .listener(relayTold::add)
            .handler(
                "stock",
                (connection, message) -> {
                  if (HARMED.equals(message.key())) {
                    outlast(connection);
                  }
                  if (appends) {
                    outledger.outbox().append(connection, Message.to("t", "reply").build());
                  }
                })
            .build()) {
      stepUntil(relay, RelayEvent.Parked.class);
    }
    assertThat(relayTold).noneMatch(RelayEvent.OutageBegan.class::isInstance);
    assertThat(relayTold.toString()).contains("took or waited too long", "25P03");
  }

  @Test
  void commitThatMeetsTheLimitOfItsSessionIsTheHandlersFault() {
    outlasts(false);
  }

  @Test
  void appendThatMeetsTheLimitOfItsSessionIsTheHandlersFault() {
    outlasts(true);
  }

  @Test
  void commitThatLosesItsSessionEachTimeIsTheHandlersFault() {
    database.execute(
        """
        CREATE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_terminate_backend(pg_backend_pid());
          RETURN NULL;
        END $$;
        CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON effect
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ends()\
        """);
    append(HARMED);
    try (Relay relay =
        outledger
            .relay("app")
            .listener(relayTold::add)
            .handler(
                "stock", (connection, message) -> Harm.ENDS_ITS_SESSION.on(connection, "other"))
            .build()) {
      stepUntil(relay, RelayEvent.Parked.class);
    }
    assertThat(relayTold.toString()).contains("session ended or failed 5 or more");
  }

  /** As drivers do by themselves, where they are told to. */
  @Test
  void failureThatTheHandlerHasUndoneToASavepointIsItsFault() {
    append(HARMED);
    try (Relay relay =
        outledger
            .relay("app")
            .listener(relayTold::add)
            .handler(
                "stock",
                (connection, message) -> {
                  Savepoint before = connection.setSavepoint();
                  try {
                    Harm.NEEDS_A_FILE_THAT_IS_MISSING.on(connection, HARMED);
                  } finally {
                    connection.rollback(before);
                  }
                })
            .build()) {
      stepUntil(relay, RelayEvent.Parked.class);
    }
    assertThat(relayTold.toString()).contains("session ended or failed 5 or more");
  }

  @Test
  void failureThatTheHandlerCaughtIsTheReason() {
    append(HARMED);
    try (Relay relay =
        outledger
            .relay("app")
            .listener(relayTold::add)
            .handler("stock", (connection, message) -> catches(connection))
            .build()) {
      stepUntil(relay, RelayEvent.Parked.class);
    }
    assertThat(relayTold.toString()).contains("the handler caught that", "division by zero");
  }

  private static void catches(Connection connection) throws SQLException {
    try (Statement work = connection.createStatement()) {
      for (String statement : List.of("SELECT 1 / 0", "SELECT 1")) {
        assertThatThrownBy(() -> work.execute(statement)).isInstanceOf(SQLException.class);
      }
    }
  }

  /** Such as that of transactions, in a database that must be vacuumed first. */
  @Test
  void limitThatTheInboxMeetsIsAnOutage() {
    database.execute(
        """
        CREATE FUNCTION refuses() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE 'accepts no commands' USING ERRCODE = '54000'; END $$;
        CREATE TRIGGER refuses BEFORE INSERT ON outledger_inbox
          FOR EACH ROW EXECUTE FUNCTION refuses()\
        """);
    append("any");
    try (Relay relay =
        outledger
            .relay("app")
            .listener(relayTold::add)
            .handler("stock", (connection, message) -> {})
            .build()) {
      stepUntil(relay, RelayEvent.OutageBegan.class);
    }
    assertThat(relayTold).noneMatch(RelayEvent.Parked.class::isInstance);
  }

  @Test
  void outageOfAHandlersOtherDatabaseStaysOneHoweverLongItLasts() {
    append(HARMED);
    try (Relay relay =
        outledger
            .relay("app")
            .listener(relayTold::add)
            .options(options -> options.outage(outage -> outage.withProbes(AT_ONCE)))
            .handler(
                "stock",
                (connection, message) -> {
                  throw new SQLNonTransientConnectionException("refused", "08001");
                })
            .build()) {
      Await.until(
          "twice as many attempts as a harmful message has",
          PATIENCE,
          () -> {
            relay.step();
            return relayTold.stream().filter(RelayEvent.OutageBegan.class::isInstance).count() > 10;
          });
    }
    assertThat(relayTold).noneMatch(RelayEvent.Parked.class::isInstance);
  }
}
