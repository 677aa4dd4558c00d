// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.CancelScheduled;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.DueMessages;
import io.outledger.jdbc.spi.DueMessages.Due;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** What is done to scheduled messages, every statement of it, by whoever does it. */
final class RightsScheduled {

  private static final Delivery LATER = Delivery.after(Duration.ofDays(1));
  private static final Delivery NOW = Delivery.after(Duration.ZERO);

  private RightsScheduled() {}

  static void schedules(StoreDatabase database, DataSource writer) throws SQLException {
    RightsStories.appends(database, writer);
    try (Outledger outledger = Outledger.builder(writer).build()) {
      JdbcOutbox outbox = outledger.outbox();
      UUID id = outbox.inNewTransaction(LiveRelay.message("k", "a"), LATER);
      outbox.inNewTransaction(LiveRelay.message("k", "b"), LATER.named("b"));
      outbox.inNewTransaction(LiveRelay.message("k", "c"), LATER.replacing("b"));
      try {
        outbox.inNewTransaction(LiveRelay.message("k", "d"), LATER.named("b"));
        throw new AssertionError("the name was taken");
      } catch (OutledgerException e) {
        assertThat(e).extracting(OutledgerException::code).isEqualTo(ErrorCode.NAME_WAITING);
      }
      assertThat(outledger.transactions().<Boolean, SQLException>call(c -> outbox.cancel(c, id)))
          .isTrue();
      assertThat(outledger.transactions().<Boolean, SQLException>call(c -> outbox.cancel(c, "b")))
          .isTrue();
    }
  }

  static void moves(StoreDatabase database, DataSource role) throws SQLException {
    RightsStories.appends(database, role);
    try (Outledger application = Outledger.builder(database.dataSource()).build()) {
      application.outbox().inNewTransaction(LiveRelay.message("k", "a"), NOW);
    }
    PostgresDatabase tables = new PostgresDatabase(new Tables(Tables.DEFAULT_SCHEMA));
    OperatorTransactions transactions = tables.transactions(role);
    UUID mover = new UUID(1, 1);
    DueMessages due = tables.dueMessages();
    transactions.run(Kind.READS, "looking", due::untilNext);
    transactions.run(
        Kind.CHANGES, "leasing", c -> due.takeLease(c, mover, Duration.ofSeconds(10), null));
    transactions.run(Kind.CHANGES, "moving", c -> move(c, tables, mover));
    transactions.run(
        Kind.CHANGES,
        "giving back",
        c -> {
          due.giveLeaseBack(c, mover);
          return true;
        });
    assertThat(database.number("SELECT count(*) FROM outledger_message")).isEqualTo(3);
  }

  private static int move(Connection transaction, PostgresDatabase tables, UUID mover)
      throws SQLException {
    DueMessages due = tables.dueMessages();
    assertThat(due.hasLease(transaction, mover)).isTrue();
    List<Due> page = due.due(transaction, 10, Set.of());
    tables
        .appender()
        .append(transaction, List.copyOf(due.lock(transaction, page).messages().values()));
    return due.remove(transaction, page.stream().map(Due::number).toList());
  }

  /** What an operator does, beside all else. */
  static void operates(StoreDatabase database, Outledger operator) {
    try (Outledger application = Outledger.builder(database.dataSource()).build()) {
      application.outbox().inNewTransaction(LiveRelay.message("k", "a"), LATER.named("a"));
      application.outbox().inNewTransaction(LiveRelay.message("k", "b"), LATER.named("b"));
    }
    for (Verb verb : List.of(CancelScheduled.named("a"), DeliverNow.named("b"))) {
      RequestStatus done = operator.requests().ask(verb.by("anna", "a test"));
      assertThat(done.done()).as(done.result()).isEqualTo(1);
    }
  }
}
