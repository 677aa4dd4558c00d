// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.jdbc.spi.SqlNaming;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedState;
import io.outledger.store.Pauses;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Requests for many messages, and many requests: each step is bounded, and none is in the way. */
abstract class BoundedRequestContractTests extends LockingContractTests {

  /** More than a process looks at in one look. */
  private static final int LEFT = 350;

  @Test
  final void askingForManyReturnsBeforeTheEnd() {
    append(IntStream.range(0, 2_500).mapToObj(n -> "k" + n).toArray(String[]::new));
    Owner owner = owner();
    settle(owner);
    Request replay =
        new Verb.Replay(SUBSCRIPTION, "", ReplayRange.ALL, Pace.UNLIMITED).by(WHO, WHY);
    try (Outledger slow = slow(Duration.ofSeconds(1))) {
      assertThat(slow.requests().ask(replay).state()).isEqualTo(RequestState.RUNNING);
      assertThat(count("SELECT COUNT(*) FROM outledger_parked")).isEqualTo(500);
      parkDead(owner, 2_500);
      assertThat(slow.requests().ask(retryOfDead()).total()).isEqualTo(1_000);
    }
  }

  @Test
  final void shortHandHasADeadline() {
    parkDead(owner(), 2_500);
    try (Outledger slow = slow(Duration.ofMinutes(11))) {
      assertCode(ErrorCode.STORE_FAILED, () -> slow.parkedMessages(SUBSCRIPTION).retryAll());
    }
    assertThat(count("SELECT COUNT(requested) FROM outledger_parked")).isEqualTo(1_000);
    assertThat(process().parkedMessages(SUBSCRIPTION).retryAll()).isEqualTo(2_500);
  }

  @Test
  final void whatIsLeftIsCountedUpToABound() {
    Owner owner = owner();
    parkDead(owner, Count.MAX + 200);
    Request request = retryOfDead();
    RequestStatus noted = process().requests().ask(request);
    assertThat(noted.total()).isEqualTo(Count.MAX + 200L);
    assertThat(noted.done()).isZero();
    assertThat(noted.result())
        .isEqualTo(
            "10200 asked for: some came through or went to a later request, 0 failed again,"
                + " 10000+ wait for their owner");
    owner.save(
        LongStream.rangeClosed(1, 300)
            .mapToObj(position -> ParkedRows.remove(position, ""))
            .toArray(ParkedChange[]::new));
    fixture().letPass(Duration.ofSeconds(1));
    RequestStatus later = process().requests().ask(request);
    assertThat(later.done()).isEqualTo(300);
    assertThat(later.result())
        .isEqualTo(
            "10200 asked for: 300 came through or went to a later request, 0 failed again,"
                + " 9900 wait for their owner");
  }

  @Test
  final void requestsThatFailAtEachLookKeepNoOther() {
    inTransaction(
        transaction -> {
          for (int i = 0; i < 100; i++) {
            Verb replay = new Verb.Replay(SUBSCRIPTION, "", ReplayRange.ALL, Pace.UNLIMITED);
            database().requests().insert(transaction, replay.by(WHO, WHY));
          }
          execute(transaction, "UPDATE outledger_request SET work_place = '1'"); // no such place
        });
    assertAnotherIsCarriedOut();
  }

  /** Others have to do them: who has the rights, or knows what a newer release has asked for. */
  @Test
  final void requestsThatThisProcessHasToLeaveKeepNoOther() {
    inTransaction(
        transaction -> {
          for (int i = 0; i < LEFT; i++) {
            database().requests().insert(transaction, new Verb.Delete("nobody").by(WHO, WHY));
          }
          execute(transaction, "UPDATE outledger_request SET verb = 'paint'");
        });
    assertAnotherIsCarriedOut();
    assertThat(count("SELECT COUNT(*) FROM outledger_request WHERE state = 'waiting'"))
        .isEqualTo(LEFT);
  }

  @Test
  final void aPlaceThatOnlyANewerReleaseKnowsIsLeftToIt() {
    Request move = new Move("nobody", Start.EARLIEST).by(WHO, WHY);
    inTransaction(
        transaction -> {
          database().requests().insert(transaction, move);
          execute(transaction, "UPDATE outledger_request SET selection = 'start=tomorrow'");
        });
    assertAnotherIsCarriedOut();
    assertThat(statusOf(move).state()).isEqualTo(RequestState.WAITING);
  }

  private void assertAnotherIsCarriedOut() {
    Request good = new Verb.Delete("nobody").by(WHO, WHY);
    inTransaction(transaction -> database().requests().insert(transaction, good));
    relayUntil(published -> statusOf(good).state().isOver());
    assertThat(statusOf(good).state()).isEqualTo(RequestState.REFUSED);
  }

  @Test
  final void erasureOfAFewIsOneStep() {
    append("a", "b");
    settle(owner());
    try (Outledger slow = slow(Duration.ofSeconds(1))) {
      RequestStatus erased = slow.requests().ask(Verb.Erase.key("a").by(WHO, WHY));
      assertThat(erased.state()).isEqualTo(RequestState.DONE);
      assertThat(erased.done()).isEqualTo(1);
    }
  }

  /** A subscription that has not passed it keeps nobody from looking at what was locked. */
  @Test
  final void erasureComesBackForARowThatAnotherHasLocked() throws SQLException {
    append("a");
    owner("behind");
    Owner owner = owner();
    owner.save(ParkedRows.park(messagesOf(owner).get(0), "", ParkedState.DEAD, null));
    settle(owner);
    Request erasure = Verb.Erase.key("a").by(WHO, WHY);
    whileLocked(1, () -> process().requests().ask(erasure));
    assertThat(later(erasure).state()).isEqualTo(RequestState.RUNNING);
    assertThat(count("SELECT COUNT(*) FROM outledger_parked WHERE withdrawn")).isEqualTo(1);
  }

  @Test
  final void rateOfMoreThanABatchASecondIsKept() {
    parkDead(owner(), 1_001);
    Which dead = new Which.Selected(ParkedSelection.of(ParkedState.DEAD));
    Reader reader = Reader.subscription(SUBSCRIPTION);
    Request retry = new Verb.Retry(reader, dead, new Pace(2_000, 0)).by(WHO, WHY);
    assertThat(process().requests().ask(retry).total()).isEqualTo(1_000);
    SqlNaming naming = database().adminReads(dataSource());
    Duration untilNext =
        inTransactionOf(
            transaction -> {
              String times = "SELECT changed_at, next_at FROM {schema}.outledger_request";
              try (Statement statement = transaction.createStatement();
                  ResultSet row = statement.executeQuery(naming.in(times))) {
                row.next();
                return Duration.between(naming.values().time(row, 1), naming.values().time(row, 2));
              }
            });
    assertThat(untilNext).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  final void resumeComesBackForTheRowsThatAnotherHasLocked() throws SQLException {
    Owner owner = owner();
    owner.save(
        ParkedRows.park(1, "a", ParkedState.RETRYING, null),
        ParkedRows.park(2, "b", ParkedState.RETRYING, null));
    if (lockedRows() == 0) {
      assertThat(owner.store().makeDue(Pauses.NONE, 10)).isEqualTo(2);
      assertThat(owner.due()).hasSize(2);
      return;
    }
    try (Connection other = dataSource().getConnection()) {
      other.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED); // locks no other row
      other.setAutoCommit(false);
      execute(other, "SELECT * FROM outledger_parked WHERE position = 1 FOR UPDATE");
      assertThat(owner.store().makeDue(Pauses.NONE, 10)).as("there is more").isEqualTo(10);
      assertThat(owner.due()).hasSize(1);
      other.rollback();
    }
    assertThat(owner.store().makeDue(Pauses.NONE, 10)).isEqualTo(1);
    assertThat(owner.due()).hasSize(2);
  }
}
