// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.OutledgerException;
import io.outledger.event.Events;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is neither scheduled nor cancelled, and what the caller is told. */
abstract class RefusedScheduleContractTests extends DatabaseContractTests {

  private static final Delivery LATER = Delivery.after(Duration.ofDays(1));

  /** The caller's mistake where the driver knows of the mode, or else the transaction's. */
  private static final Set<ErrorCode> READ_ONLY =
      Set.of(ErrorCode.NO_TRANSACTION, ErrorCode.SERVER_IN_RECOVERY);

  @Test
  final void badInputIsRefusedWithACode() {
    JdbcOutbox outbox = process().outbox();
    Message message = StoreContractTests.message("a");
    assertCode(ErrorCode.INVALID_NAME, () -> LATER.named("x".repeat(10_000)));
    assertCode(ErrorCode.INVALID_NAME, () -> LATER.replacing(""));
    assertCode(
        ErrorCode.INVALID_NAME,
        () -> inTransaction(transaction -> outbox.cancel(transaction, "x".repeat(10_000))));
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
    Delivery never = null;
    Message message = StoreContractTests.message("a");
    JdbcOutbox outbox = process().outbox();
    inTransaction(
        transaction -> {
          for (Outbox each : List.of(outbox.on(transaction), bound())) {
            assertCode(ErrorCode.INVALID_CONFIGURATION, () -> each.append(nothing, LATER));
            assertCode(ErrorCode.INVALID_CONFIGURATION, () -> each.append(message, never));
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
  final void readOnlyTransactionSchedulesAndCancelsNothing() throws SQLException {
    Optional<Connection> readOnly = fixture().readOnly();
    if (readOnly.isEmpty()) {
      return;
    }
    Message message = StoreContractTests.message("kept");
    UUID kept = process().outbox().inNewTransaction(message, LATER.named("kept"));
    try (Connection connection = readOnly.get()) {
      connection.setAutoCommit(false);
      for (Consumer<Connection> each : writing(kept)) {
        assertThatExceptionOfType(OutledgerException.class)
            .isThrownBy(() -> each.accept(connection))
            .withMessageContaining("read-only")
            .matches(e -> READ_ONLY.contains(e.code()), "a code of " + READ_ONLY);
        connection.rollback();
      }
    }
    assertThat(waiting()).isEqualTo(1);
    boolean isCancelled =
        process().transactions().call(connection -> process().outbox().cancel(connection, kept));
    assertThat(isCancelled).isTrue();
  }

  private List<Consumer<Connection>> writing(UUID waiting) {
    JdbcOutbox outbox = process().outbox();
    Message message = StoreContractTests.message("a");
    return List.of(
        connection -> outbox.append(connection, message, LATER),
        connection -> outbox.append(connection, message, LATER.replacing("kept")),
        connection -> outbox.cancel(connection, waiting),
        connection -> outbox.cancel(connection, "kept"));
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

  private long waiting() {
    return count("SELECT COUNT(*) FROM outledger_scheduled");
  }
}
