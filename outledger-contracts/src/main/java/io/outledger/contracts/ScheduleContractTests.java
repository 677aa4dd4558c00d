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
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.spi.DueMessages;
import io.outledger.jdbc.spi.SqlValues;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

  /** So much of it is in memory at once while it is moved. */
  @Test
  final void whatIsDueIsAsLargeAsItsPayloadAndItsHeaders() throws SQLException {
    String value = "v".repeat(1_000);
    schedule(
        Message.to("orders", "order.placed").payload(new byte[500]).header("name", value).build());
    schedule(Message.to("orders", "order.placed").payload(new byte[500]).build());
    try (Connection connection = dataSource().getConnection()) {
      List<DueMessages.Due> due = database().dueMessages().due(connection, 10, Set.of());
      assertThat(due).hasSize(2);
      assertThat(due.get(0).bytes()).isBetween(1_500L, 1_600L);
      assertThat(due.get(1).bytes()).isBetween(500L, 600L);
    }
  }

  private void schedule(Message message) {
    process().outbox().inNewTransaction(message, NOW);
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

  /** A payment cancels a reminder that was just due: what it has read shows it still. */
  @Test
  final void whoeverCancelsWhatWasMovedSinceKeepsNobodyFromScheduling() throws SQLException {
    if (fixture().writers() == DatabaseFixture.Writers.ONE) {
      deliveredMessageCannotBeCancelled(); // where a snapshot is that of all writes
      return;
    }
    for (int isolation : ISOLATIONS) {
      String name = name(isolation, true);
      UUID id = schedule(name, NOW.named(name));
      try (Connection paying = transaction(isolation);
          Statement reading = paying.createStatement()) {
        reading.executeQuery("SELECT COUNT(*) FROM outledger_scheduled").close();
        relayUntil(some -> some.stream().anyMatch(each -> each.id().equals(id)));
        boolean isRefused = isRefusedOrNotCancelled(paying, id);
        assertThat(isRefused && isolation == ISOLATIONS.get(0)).isFalse();
        schedule("other", LATER);
        if (isRefused) {
          paying.rollback();
        } else {
          paying.commit();
        }
      }
    }
    assertThat(waiting()).isEqualTo(ISOLATIONS.size());
  }

  /** Some databases refuse to change what was changed since a snapshot. */
  private boolean isRefusedOrNotCancelled(Connection transaction, UUID id) {
    try {
      assertThat(process().outbox().cancel(transaction, id)).isFalse();
      return false;
    } catch (OutledgerException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED);
      return true;
    }
  }

  @Test
  final void ofTwoWhoCancelAtOnceOneDoesAndTheOtherHearsSo() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        UUID id = schedule("a", LATER);
        Callable<Boolean> cancelling = () -> cancel(id);
        List<Boolean> both = new ArrayList<>();
        for (Future<Boolean> each : threads.invokeAll(List.of(cancelling, cancelling))) {
          both.add(each.get(1, TimeUnit.MINUTES));
        }
        assertThat(both).containsExactlyInAnyOrder(true, false);
      }
    } finally {
      threads.shutdownNow();
    }
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

  private Outbox bound() {
    return process().outbox().boundTo(process().transactions());
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
