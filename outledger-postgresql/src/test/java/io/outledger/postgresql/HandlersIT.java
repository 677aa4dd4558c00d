// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.relay.Relay;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.servers.Await;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Two handlers of one subscription: each fails, is retried and takes effect for itself alone. */
class HandlersIT {

  // On a busy machine a few steps, with what is asked in between, have to fit into a lease.
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int MESSAGES = 30;

  private final AtomicBoolean mailIsDown = new AtomicBoolean(true);

  @Test
  void handlerThatNeverReturnsStopsNoOther() throws Exception {
    TestDatabase database = TestDatabase.create();
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch handled = new CountDownLatch(MESSAGES);
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      append(outledger);
      outledger
          .relay("app")
          .handOverMax(Duration.ZERO)
          .handlerWithoutTransaction("stuck", message -> never.await())
          .handlerWithoutTransaction("other", message -> handled.countDown())
          .start();
      assertThat(handled.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      never.countDown();
    }
  }

  @Test
  void handlerThatFailsIsRetriedAloneAcrossACrashOfTheRelay() throws Exception {
    TestDatabase database = TestDatabase.create();
    database.execute("CREATE TABLE effect (handler text, id uuid)");
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      append(outledger);
      try (Relay killed = relay(outledger)) {
        step(killed, () -> count(database, "stock") == MESSAGES && parked(outledger) == 5);
      }
      assertThat(count(database, "mail")).isLessThanOrEqualTo(MESSAGES - 5);
      mailIsDown.set(false);
      try (Relay successor = relay(outledger)) {
        step(successor, () -> count(database, "mail") == MESSAGES && noneIsParked(database));
      }
      assertThat(effects(database)).hasSize(2 * MESSAGES).doesNotHaveDuplicates();
      assertThat(database.query("SELECT consumer FROM outledger_processed"))
          .containsOnly("app/stock", "app/mail")
          .hasSize(2 * MESSAGES);
    }
  }

  @Test
  void handlerThatIsStillBusyWhenItsRelayEndsTakesEffectOnce() throws Exception {
    TestDatabase database = TestDatabase.create();
    database.execute("CREATE TABLE effect (handler text, id uuid)");
    mailIsDown.set(false);
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      outledger.outbox().inNewTransaction(message(1));
      Relay ended = slowRelay(outledger, busy, goOn);
      step(ended, () -> busy.getCount() == 0);
      ended.close();
      try (Relay successor = slowRelay(outledger, busy, goOn)) {
        goOn.countDown();
        Await.until("it is settled", PATIENCE, () -> successor.step().published() > 0);
      }
      assertThat(database.count("outledger_pending")).isZero();
      assertThat(effects(database)).hasSize(1);
      assertThat(database.count("outledger_inbox")).isEqualTo(1);
    }
  }

  @Test
  void twoMessagesWithOneIdAreTwoMessages() throws Exception {
    TestDatabase database = TestDatabase.create();
    database.execute("CREATE TABLE effect (handler text, id uuid)");
    mailIsDown.set(false);
    Message first = message(1);
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      outledger.outbox().inNewTransaction(first, message(2).copy().id(first.id()).build());
      try (Relay relay = relay(outledger)) {
        step(relay, () -> database.count("outledger_pending") == 0);
      }
    }
    assertThat(effects(database))
        .hasSize(4)
        .containsOnly("stock " + first.id(), "mail " + first.id());
    assertThat(database.query("SELECT DISTINCT subscription FROM outledger_processed"))
        .containsExactly("app");
    assertThat(
            database.query("SELECT position FROM outledger_processed WHERE consumer = 'app/mail'"))
        .containsExactlyInAnyOrderElementsOf(
            database.query("SELECT position FROM outledger_message"));
  }

  private Relay relay(Outledger outledger) {
    Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofMillis(50));
    return outledger
        .relay("app")
        .options(
            o ->
                o.lease(LEASE)
                    .retry(RetryPolicy.DEFAULT.withAttemptsMax(1_000).withBackoff(backoff)))
        .handler("stock", (connection, message) -> insert(connection, "stock", message))
        .handler(
            "mail",
            (connection, message) -> {
              insert(connection, "mail", message);
              if (mailIsDown.get() && message.version() % 6 == 0) {
                throw new IllegalStateException("the mail server is down");
              }
            })
        .build();
  }

  private static Relay slowRelay(Outledger outledger, CountDownLatch busy, CountDownLatch goOn) {
    return outledger
        .relay("app")
        .options(o -> o.lease(LEASE))
        .handler(
            "slow",
            (connection, message) -> {
              insert(connection, "slow", message);
              busy.countDown();
              if (!goOn.await(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("nobody let the handler go on");
              }
            })
        .build();
  }

  /** Steps a relay until a condition holds, which is looked at after each step. */
  private static void step(Relay relay, Await.Condition condition) {
    Await.until(
        "the relay has done it",
        PATIENCE,
        () -> {
          relay.step();
          return condition.holds();
        });
  }

  private static void append(Outledger outledger) throws SQLException {
    for (int i = 1; i <= MESSAGES; i++) {
      outledger.outbox().inNewTransaction(message(i));
    }
  }

  private static Message message(int number) {
    return Message.to("orders", "order.placed").key("k" + number).version(number).build();
  }

  private static void insert(Connection connection, String handler, Message message)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect VALUES (?, ?)")) {
      insert.setString(1, handler);
      insert.setObject(2, message.id());
      insert.executeUpdate();
    }
  }

  private static long count(TestDatabase database, String handler) {
    return database.query("SELECT id FROM effect WHERE handler = '" + handler + "'").size();
  }

  private static java.util.List<String> effects(TestDatabase database) {
    return database.query("SELECT handler || ' ' || id FROM effect");
  }

  private static int parked(Outledger outledger) {
    ParkedQuery retrying =
        ParkedQuery.of(Reader.subscription("app")).with(ParkedSelection.of(ParkedState.RETRYING));
    List<Parked> rows = outledger.admin().parked(retrying).rows();
    assertThat(rows).allSatisfy(row -> assertThat(row.place().route()).isEqualTo("mail"));
    return rows.size();
  }

  private static boolean noneIsParked(TestDatabase database) {
    return database.count("outledger_parked") == 0;
  }
}
