// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ReceivedWork;
import io.outledger.receive.ParkedRetries;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database in which no handler can work: the outage is not the fault of a message or handler. */
class DatabaseOutageIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Backoff AT_ONCE = new Backoff(Duration.ofNanos(1), Duration.ofNanos(1));
  private static final String FULL = "RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'";

  private final TestDatabase database = TestDatabase.create();
  private final FailOver sessions = new FailOver();
  private final Outledger outledger =
      Outledger.builder(database.configured(sessions, Postgres.shared().port()))
          .relayDataSource(database.dataSource())
          .withoutRetention() // its sessions would count as well
          .build();
  private final List<ReceiverEvent> told = new CopyOnWriteArrayList<>();
  private final List<RelayEvent> relayTold = new CopyOnWriteArrayList<>();
  private volatile String statement = "";

  /** What is wrong with the database while a message is handled. */
  enum Outage {
    /** A standby answers, before the pool has noticed a fail-over. */
    STANDBY,
    /** The inbox cannot be written. */
    FULL_FOR_THE_INBOX,
    /** The inbox can be written, but not what the handler writes. */
    FULL_FOR_THE_HANDLER,
    /** The server ends the session that the handler works in. */
    SESSION_ENDED
  }

  /** A server that is a standby to one session. */
  private static final class FailOver extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;

    /** They look for scheduled messages and for requests by themselves, at any moment. */
    private static final List<String> BESIDE = List.of("outledger-mover", "outledger-requests");

    private final AtomicInteger before = new AtomicInteger(-1);

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      String thread = Thread.currentThread().getName();
      boolean isBeside = BESIDE.stream().anyMatch(thread::startsWith);
      if (!isBeside && before.getAndDecrement() == 0) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("SET default_transaction_read_only = on");
        }
      }
      return connection;
    }
  }

  @BeforeEach
  void create() {
    database.execute("CREATE TABLE effect (id int)");
    database.execute(
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            + FULL
            + "; END $$");
  }

  @AfterEach
  void close() {
    outledger.close();
  }

  /** Begins an outage, which a standby is after some sessions. */
  private void begin(Outage outage, int sessionsBefore) {
    switch (outage) {
      case STANDBY -> sessions.before.set(sessionsBefore);
      case FULL_FOR_THE_INBOX ->
          database.execute(
              "CREATE TRIGGER full_disk BEFORE INSERT ON outledger_inbox"
                  + " EXECUTE FUNCTION full_disk()");
      case FULL_FOR_THE_HANDLER -> statement = "DO $$ BEGIN " + FULL + "; END $$";
      case SESSION_ENDED -> statement = "SELECT pg_terminate_backend(pg_backend_pid())";
    }
  }

  private void end(Outage outage) {
    statement = "";
    if (outage == Outage.FULL_FOR_THE_INBOX) {
      database.execute("DROP TRIGGER full_disk ON outledger_inbox");
    }
  }

  private void handle(Connection connection) throws SQLException {
    try (Statement work = connection.createStatement()) {
      work.execute("INSERT INTO effect VALUES (1)");
      if (!statement.isEmpty()) {
        work.execute(statement);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("as a library wraps it", e);
    }
  }

  private Receiver<Integer> receiver(ReceivedWork work) {
    return new Receiver<>(
        outledger.inbox("stock").handler(work),
        new ReceiverContext(
            "test",
            ReceiverOptions.DEFAULT
                .withRetry(RetryPolicy.DEFAULT.withBackoff(AT_ONCE))
                .withBackoff(AT_ONCE),
            told::add,
            TimeSource.system(),
            new SplittableRandom(1)));
  }

  @ParameterizedTest
  @EnumSource
  void receiverCountsNoAttemptAndParksNothing(Outage outage) {
    OneMessage source = new OneMessage("7");
    Receiver<Integer> receiver = receiver((connection, message) -> handle(connection));
    begin(outage, 0); // which other consumers there are was read when the handler was made
    receiver.step(source);
    assertThat(database.query("SELECT error FROM outledger_inbox_parked")).isEmpty();
    assertThat(told).singleElement().isInstanceOf(ReceiverEvent.Unavailable.class);
    end(outage);
    receiver.step(source);
    assertThat(database.count("effect")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void retryOfAParkedMessageCountsNoAttempt(Outage outage) {
    AtomicBoolean isOutOfStock = new AtomicBoolean(true);
    Receiver<Integer> receiver =
        receiver(
            (connection, message) -> {
              if (isOutOfStock.get()) {
                throw new IllegalStateException("no stock");
              }
              handle(connection);
            });
    receiver.step(new OneMessage("7"));
    isOutOfStock.set(false);
    begin(outage, 2); // requests and what is due are read before
    ParkedRetries retries = receiver.retries().orElseThrow();
    retries.step();
    assertThat(told).last().isInstanceOf(ReceiverEvent.Unavailable.class);
    assertThat(attempts()).containsExactly("1");
    end(outage);
    retries.step();
    assertThat(attempts()).isEmpty();
    assertThat(database.count("effect")).isEqualTo(1);
  }

  private List<String> attempts() {
    return database.query("SELECT attempts FROM outledger_inbox_parked");
  }

  @ParameterizedTest
  @EnumSource
  void transactionalHandlerCountsNoAttemptAndParksNothing(Outage outage) throws Exception {
    outledger.outbox().inNewTransaction(Message.to("orders", "order.placed").key("7").build());
    begin(outage, 0);
    try (Relay relay =
        outledger
            .relay("app")
            .listener(relayTold::add)
            .handler("stock", (connection, message) -> handle(connection))
            .build()) {
      Await.until(
          "the relay has met the outage",
          PATIENCE,
          () -> {
            relay.step();
            return relayTold.stream().anyMatch(DatabaseOutageIT::isOfAFailure);
          });
      assertThat(relayTold).noneMatch(RelayEvent.Parked.class::isInstance);
      end(outage);
      Await.until(
          "the relay has probed",
          PATIENCE,
          () -> {
            relay.step();
            return database.count("effect") == 1;
          });
      assertThat(relayTold).noneMatch(RelayEvent.Parked.class::isInstance);
    }
  }

  private static boolean isOfAFailure(RelayEvent event) {
    return event instanceof RelayEvent.OutageBegan || event instanceof RelayEvent.Parked;
  }

  @Test
  void exceptionThatADatabaseHasNotMadeIsTheHandlersFailure() {
    receiver(
            (connection, message) -> {
              throw new SQLException("there is no such customer");
            })
        .step(new OneMessage("7"));
    assertThat(attempts()).containsExactly("1");
  }

  @Test
  void circleOfCausesIsAFailureLikeAnyOther() {
    Exception first = new Exception("first");
    first.initCause(new Exception("second", first));
    receiver(
            (connection, message) -> {
              throw first;
            })
        .step(new OneMessage("7"));
    assertThat(attempts()).containsExactly("1");
  }
}
