// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestPoint;
import io.outledger.jdbc.admin.RequestQuery;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.SqlNaming;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requests as rows that anybody may have written: read, stopped, kept, and done in time. */
abstract class AuditContractTests extends DatabaseContractTests {

  private static final Duration DAY = Duration.ofDays(1);

  private Requests requests() {
    return process().requests();
  }

  /** What a row says that an operator, or a newer release, has inserted. */
  private record Odd(String verb, String reader, String selection) {

    /** A byte without a line feed, which ends the headers of a revision. */
    byte[] content() {
      return new byte[] {1};
    }
  }

  private UUID insert(Odd odd) {
    UUID id = UUID.randomUUID();
    SqlNaming naming = database().adminReads(dataSource());
    inTransaction(
        transaction -> {
          try (PreparedStatement statement =
              transaction.prepareStatement(
                  naming.in(
                      "INSERT INTO outledger_request"
                          + " (id, verb, reader_kind, reader, selection, content, asked_by,"
                          + " reason, state, result_text, asked_at, next_at, changed_at)"
                          + " VALUES (?, ?, 'subscription', ?, ?, ?, 'anna', 'why', 'waiting', '',"
                          + " {now}, {now}, {now})"))) {
            naming
                .values()
                .bind(statement, id, odd.verb(), odd.reader(), odd.selection(), odd.content());
            statement.executeUpdate();
          }
        });
    return id;
  }

  @Test
  final void oddRowsAreListedAndCanBeStopped() {
    append("a");
    settle(owner());
    Stream.of(
            new Odd("move", "", "start=now"),
            new Odd("delete", "x".repeat(150), ""),
            new Odd("pause", "two\nlines", "scope=subscription"),
            new Odd("move", SUBSCRIPTION, "start=newest"),
            new Odd("move", SUBSCRIPTION, "at=%%"),
            new Odd("retry", SUBSCRIPTION, "state=frozen"),
            new Odd("pause", SUBSCRIPTION, "scope=tenant&name=a"),
            new Odd("erase", SUBSCRIPTION, "tenant=a"),
            new Odd(
                "revise",
                SUBSCRIPTION,
                "gives=payload&id=00000000-0000-0000-0000-000000000001&position=1&route=&sha256="
                    + "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"),
            new Odd("freeze", SUBSCRIPTION, ""))
        .forEach(
            odd -> {
              UUID id = insert(odd);
              assertThat(process().admin().requests(RequestQuery.ALL).rows())
                  .as("%s", odd)
                  .extracting(RequestStatus::id)
                  .contains(id);
              RequestStatus stopped = requests().stop(id);
              assertThat(stopped.state()).as("%s", odd).isEqualTo(RequestState.STOPPED);
            });
    assertThat(count("SELECT COUNT(*) FROM outledger_message WHERE erased")).isZero();
  }

  @Test
  final void pageOfTheAuditIsBoundedInBytes() {
    String large = "x".repeat(40_000);
    Set<UUID> all = new HashSet<>();
    for (int i = 0; i < 150; i++) {
      all.add(insert(new Odd("delete", "nobody", large)));
    }
    RequestQuery many = RequestQuery.ALL.withLimit(1_000);
    Listing<RequestStatus, RequestPoint> page = process().admin().requests(many);
    RequestPoint next = page.next();
    assertThat(page.rows()).hasSizeBetween(1, all.size() - 1);
    Set<UUID> listed = new HashSet<>();
    page.rows().forEach(row -> listed.add(row.id()));
    while (next != null) {
      page = process().admin().requests(many.after(next));
      page.rows().forEach(row -> listed.add(row.id()));
      next = page.next();
    }
    assertThat(listed).isEqualTo(all);
  }

  @Test
  final void clockThatWasSetBackStopsNothing() {
    append("a", "b", "c");
    Owner owner = owner();
    settle(owner);
    Request request =
        new Verb.Replay(SUBSCRIPTION, "", ReplayRange.ALL, new Pace(2, 0)).by("anna", "why");
    requests().ask(request);
    SqlNaming naming = database().adminReads(dataSource());
    inTransaction(
        transaction -> {
          try (PreparedStatement statement =
              transaction.prepareStatement(
                  naming.in("UPDATE {schema}.outledger_request SET next_at = ?, work_place = ?"))) {
            Instant ahead = now().plus(DAY);
            naming.values().bind(statement, ahead, "0 3 0 " + ahead.toEpochMilli() + " 0 0 0 0");
            statement.executeUpdate();
          }
        });
    later(request);
    later(request);
    assertThat(count("SELECT COUNT(*) FROM outledger_parked")).isPositive();
  }

  private Instant now() {
    return requests().ask(new Verb.Delete("nobody").by("anna", "to read the clock")).changedAt();
  }

  @Test
  final void whatIsNotOverOrEndedLatelyIsKept() {
    Request open =
        new Verb.Replay(SUBSCRIPTION, "", ReplayRange.ALL, new Pace(1, 0)).by("anna", "why");
    append("a", "b", "c", "d");
    settle(owner());
    requests().ask(open);
    RequestStatus lately = requests().ask(new Verb.Delete("nobody").by("anna", "why"));
    RequestStatus old = requests().ask(new Verb.Delete("nobody").by("anna", "why"));
    Instant past = old.changedAt().minus(DAY);
    set("asked_at", past, open.id());
    set("changed_at", past, open.id());
    set("asked_at", past, lately.id());
    set("asked_at", past, old.id());
    set("changed_at", past, old.id());
    int purged =
        inTransactionOf(
            transaction -> database().requests().purge(transaction, DAY.dividedBy(2), 10));
    assertThat(purged).isEqualTo(1);
    assertThat(requests().get(old.id())).isEmpty();
    assertThat(requests().get(lately.id())).isPresent();
    assertThat(requests().get(open.id())).isPresent();
  }

  private void set(String column, Instant time, UUID id) {
    SqlNaming naming = database().adminReads(dataSource());
    inTransaction(
        transaction -> {
          try (PreparedStatement statement =
              transaction.prepareStatement(
                  naming.in(
                      "UPDATE {schema}.outledger_request SET " + column + " = ? WHERE id = ?"))) {
            naming.values().bind(statement, time, id);
            statement.executeUpdate();
          }
        });
  }
}
