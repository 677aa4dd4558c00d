// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.MessageIds;
import io.outledger.MessageLimits;
import io.outledger.Outbox;
import io.outledger.OutledgerException;
import io.outledger.event.Events;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.spi.SqlValues;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Scheduling and cancelling, in the caller's transaction. */
abstract class ScheduleContractTests extends DatabaseContractTests {

  private static final Delivery LATER = Delivery.after(Duration.ofDays(1));
  private static final Delivery NOW = Delivery.after(Duration.ZERO);
  private static final int ROUNDS = 20;
  private static final List<Integer> ISOLATIONS =
      List.of(Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ);

  @Test
  final void scheduledMessageWaitsBesideTheLedger() {
    schedule("later", LATER);
    schedule("at", Delivery.at(MessageLimits.TIME_MAX));
    append("plain");
    assertThat(relayUntil(some -> some.size() == 1)).extracting(Message::key).containsOnly("plain");
    assertThat(waiting()).isEqualTo(2);
  }

  @Test
  final void dueMessageEntersWholeAndLeavesNoRow() {
    byte[] payload = new byte[SqlValues.BINARY_MAX + 1];
    payload[payload.length - 1] = 7;
    Message scheduled =
        Message.to("orders-ö", "order.placed")
            .key("kéy 🔑")
            .version(7)
            .payload(payload)
            .header("name", "välue & = % +")
            .build();
    try (Outledger large =
        Outledger.builder(dataSource())
            .withoutRetention()
            .payloadBytesMax(payload.length)
            .build()) {
      UUID id = large.outbox().inNewTransaction(scheduled, NOW);
      assertThat(id).isEqualTo(scheduled.id());
    }
    List<Message> read = relayUntil(some -> !some.isEmpty());
    assertThat(read).hasSize(1);
    Message entered = read.get(0);
    assertThat(entered.payload()).isEqualTo(payload);
    assertThat(entered.copy().payload(new byte[0]).time(scheduled.time()).build())
        .usingRecursiveComparison()
        .isEqualTo(scheduled.copy().payload(new byte[0]).build());
    assertThat(waiting()).isZero();
  }

  @Test
  final void messageHasTheTimeAtWhichItEntered() {
    Instant old = Instant.parse("2001-01-01T00:00:00Z");
    Message message = Message.to("orders", "order.placed").time(old).build();
    process().outbox().inNewTransaction(message, NOW);
    assertThat(relayUntil(some -> !some.isEmpty()).get(0).time()).isAfter(old.plus(LONG));
  }

  @Test
  final void timeThatHasPassedIsNow() {
    schedule("at", Delivery.at(MessageLimits.TIME_MIN));
    schedule("after", Delivery.after(Duration.ofDays(-1)));
    assertThat(relayUntil(some -> some.size() == 2))
        .extracting(Message::key)
        .containsExactly("at", "after");
  }

  @Test
  final void whatIsRolledBackWasNeitherScheduledNorCancelled() throws SQLException {
    UUID kept = schedule("kept", LATER.named("kept"));
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      JdbcOutbox outbox = process().outbox();
      outbox.append(connection, StoreContractTests.message("gone"), NOW);
      assertThat(outbox.cancel(connection, kept)).isTrue();
      assertThat(outbox.cancel(connection, kept)).isFalse();
      connection.rollback();
    }
    assertThat(waiting()).isEqualTo(1);
    assertThat(cancel("kept")).isTrue();
    assertThat(waiting()).isZero();
  }

  @Test
  final void cancelledMessageIsNeverDelivered() {
    UUID byId = schedule("a", NOW);
    schedule("b", NOW.named("b"));
    assertThat(cancel(byId)).isTrue();
    assertThat(cancel("b")).isTrue();
    append("plain");
    assertThat(relayUntil(some -> !some.isEmpty()))
        .extracting(Message::key)
        .containsExactly("plain");
  }

  @Test
  final void nothingIsCancelledTwice() {
    UUID id = schedule("a", LATER.named("a"));
    assertThat(cancel("a")).isTrue();
    assertThat(cancel("a")).isFalse();
    assertThat(cancel(id)).isFalse();
    assertThat(cancel(new UUID(1, 2))).isFalse();
  }

  /** A lock on what is not there would stop others, and two of them meet in a deadlock. */
  @Test
  final void whoeverFindsNothingToCancelKeepsNobodyFromScheduling() throws SQLException {
    if (fixture().writers() == DatabaseFixture.Writers.ONE) {
      nothingIsCancelledTwice(); // where nobody schedules beside another
      return;
    }
    int rounds = 0;
    for (int isolation : ISOLATIONS) {
      rounds++;
      try (Connection one = transaction(isolation);
          Connection other = transaction(isolation)) {
        List<Connection> both = List.of(one, other);
        for (Connection each : both) {
          String name = name(rounds, each == one);
          assertThat(process().outbox().cancel(each, name)).isFalse();
          assertThat(process().outbox().cancel(each, MessageIds.system().next())).isFalse();
        }
        for (Connection each : both) {
          Delivery named = LATER.named(name(rounds, each == one));
          process().outbox().append(each, StoreContractTests.message("k"), named);
          process().outbox().append(each, StoreContractTests.message("k"), LATER);
        }
        one.commit();
        other.commit();
      }
    }
    assertThat(waiting()).isEqualTo(4L * ISOLATIONS.size());
  }

  private Connection transaction(int isolation) throws SQLException {
    Connection connection = dataSource().getConnection();
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(false);
    return connection;
  }

  private static String name(int round, boolean isFirst) {
    return (isFirst ? "a" : "b") + round;
  }

  @Test
  final void deliveredMessageCannotBeCancelled() {
    UUID id = schedule("a", NOW.named("a"));
    relayUntil(some -> !some.isEmpty());
    assertThat(cancel(id)).isFalse();
    assertThat(cancel("a")).isFalse();
    schedule("b", LATER.named("a"));
    assertThat(cancel("a")).isTrue();
  }

  @Test
  final void secondOneOfANameIsRefusedAndTheTransactionGoesOn() {
    schedule("first", LATER.named("one"));
    process()
        .transactions()
        .run(
            connection -> {
              JdbcOutbox outbox = process().outbox();
              Message second = StoreContractTests.message("second");
              assertCode(
                  ErrorCode.NAME_WAITING,
                  () -> outbox.append(connection, second, LATER.named("one")));
              outbox.append(connection, second, LATER.named("One"));
              outbox.append(connection, second, LATER.named("one ö"));
            });
    assertThat(waiting()).isEqualTo(3);
  }

  @Test
  final void replacementTakesThePlaceOfWhatWaits() {
    schedule("first", NOW.replacing("one"));
    UUID second = schedule("second", NOW.replacing("one"));
    assertThat(waiting()).isEqualTo(1);
    assertThat(relayUntil(some -> !some.isEmpty())).extracting(Message::id).containsExactly(second);
  }

  @Test
  final void replacementThatIsRolledBackChangesNothing() throws SQLException {
    UUID first = schedule("first", LATER.named("one"));
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      process()
          .outbox()
          .append(connection, StoreContractTests.message("second"), LATER.replacing("one"));
      connection.rollback();
    }
    assertThat(cancel(first)).isTrue();
  }

  @Test
  final void ofManyThatReplaceAtOnceOneWaits() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Callable<Integer> replacing =
          () -> {
            int done = 0;
            while (done < ROUNDS) {
              done += isReplaced() ? 1 : 0;
            }
            return done;
          };
      for (Future<Integer> each : threads.invokeAll(List.of(replacing, replacing))) {
        assertThat(each.get(1, TimeUnit.MINUTES)).isEqualTo(ROUNDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(waiting()).isEqualTo(1);
  }

  /** Two that meet in a deadlock, or at the one lock for writers, are asked to try again. */
  private boolean isReplaced() {
    try {
      schedule("a", LATER.replacing("one"));
      return true;
    } catch (OutledgerException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED);
      return false;
    }
  }

  @Test
  final void badInputIsRefusedWithACode() {
    JdbcOutbox outbox = process().outbox();
    Message message = StoreContractTests.message("a");
    assertCode(ErrorCode.INVALID_NAME, () -> LATER.named("x".repeat(10_000)));
    assertCode(ErrorCode.INVALID_NAME, () -> LATER.replacing(""));
    assertCode(ErrorCode.INVALID_NAME, () -> cancel("x".repeat(10_000)));
    assertCode(ErrorCode.INVALID_MESSAGE, () -> Delivery.at(Instant.MAX));
    assertCode(ErrorCode.INVALID_MESSAGE, () -> Delivery.at(Instant.MIN));
    assertCode(ErrorCode.INVALID_MESSAGE, () -> Delivery.after(Delivery.AFTER_MAX.plusNanos(1)));
    assertCode(
        ErrorCode.PAYLOAD_TOO_LARGE,
        () ->
            outbox.inNewTransaction(
                StoreContractTests.messageOfBytes(Events.PAYLOAD_BYTES_MAX + 1), LATER));
    assertCode(ErrorCode.UNREGISTERED_TYPE, () -> outbox.inNewTransaction(new Object(), LATER));
    assertThat(waiting()).isZero();
    outbox.inNewTransaction(message, Delivery.after(Delivery.AFTER_MAX));
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  @SuppressWarnings("NullAway") // as a caller without its checks passes it
  final void nullIsRefused() {
    Object nothing = null;
    JdbcOutbox outbox = process().outbox();
    inTransaction(
        transaction -> {
          for (Outbox each : List.of(outbox.on(transaction), bound())) {
            assertCode(ErrorCode.INVALID_CONFIGURATION, () -> each.append(nothing, LATER));
          }
          assertCode(
              ErrorCode.INVALID_CONFIGURATION, () -> outbox.append(transaction, nothing, LATER));
        });
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> outbox.inNewTransaction(nothing, LATER));
    assertThat(waiting()).isZero();
  }

  /** It is in that transaction, or not at all, and somebody is told that nobody delivers it. */
  @Test
  final void whatIsScheduledInAnotherDatabaseIsToldOnce() throws Exception {
    if (fixture().namesItsDatabase()) {
      return;
    }
    DatabaseFixture other = openFixture();
    try (Connection foreign = other.dataSource().getConnection()) {
      foreign.setAutoCommit(false);
      JdbcOutbox outbox = process().outbox();
      Message message = StoreContractTests.message("a");
      assertCode(ErrorCode.SCHEMA_MISSING, () -> outbox.append(foreign, message, LATER));
      foreign.rollback();
      other.database().schema().apply(other.dataSource());
      List<String> told =
          fixture()
              .logOf(
                  () -> {
                    outbox.append(foreign, message, LATER);
                    outbox.append(foreign, StoreContractTests.message("b"), LATER);
                  });
      assertThat(told)
          .filteredOn(line -> line.contains(ErrorCode.LEDGER_UNREAD.code()))
          .hasSize(1)
          .allMatch(line -> line.startsWith("WARN"));
      assertThat(outbox.cancel(foreign, message.id())).isTrue();
      foreign.rollback();
    } finally {
      other.close();
    }
    assertThat(waiting()).isZero();
  }

  private Outbox bound() {
    return process().outbox().boundTo(process().transactions());
  }

  @Test
  final void transactionIsNeeded() throws SQLException {
    JdbcOutbox outbox = process().outbox();
    Message message = StoreContractTests.message("a");
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(true);
      assertCode(ErrorCode.NO_TRANSACTION, () -> outbox.append(connection, message, LATER));
      assertCode(ErrorCode.NO_TRANSACTION, () -> outbox.cancel(connection, "a"));
      assertCode(ErrorCode.NO_TRANSACTION, () -> outbox.cancel(connection, message.id()));
    }
    Outbox bound = bound();
    assertCode(ErrorCode.NO_TRANSACTION, () -> bound.append(message, LATER));
    assertCode(ErrorCode.NO_TRANSACTION, () -> bound.cancel("a"));
    assertThat(waiting()).isZero();
  }

  @Test
  final void boundOutboxesScheduleToo() {
    Outbox bound = bound();
    process()
        .transactions()
        .run(
            connection -> {
              UUID first = bound.append(StoreContractTests.message("a"), NOW.named("a"));
              Outbox on = process().outbox().on(connection);
              on.append(StoreContractTests.message("b"), NOW.named("b"));
              assertThat(on.cancel(first)).isTrue();
              assertThat(bound.cancel("a")).isFalse();
            });
    assertThat(relayUntil(some -> !some.isEmpty())).extracting(Message::key).containsExactly("b");
  }

  @Test
  final void closedProcessSchedulesNothing() {
    Outledger closed = Outledger.builder(dataSource()).withoutRetention().build();
    JdbcOutbox outbox = closed.outbox();
    closed.close();
    inTransaction(
        transaction -> {
          assertCode(
              ErrorCode.CLOSED,
              () -> outbox.append(transaction, StoreContractTests.message("a"), LATER));
          assertCode(ErrorCode.CLOSED, () -> outbox.cancel(transaction, "a"));
        });
  }

  private UUID schedule(String key, Delivery when) {
    return process().outbox().inNewTransaction(StoreContractTests.message(key), when);
  }

  private boolean cancel(String name) {
    return process().transactions().call(connection -> process().outbox().cancel(connection, name));
  }

  private boolean cancel(UUID id) {
    return process().transactions().call(connection -> process().outbox().cancel(connection, id));
  }

  private long waiting() {
    return count("SELECT COUNT(*) FROM outledger_scheduled");
  }
}
