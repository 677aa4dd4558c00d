// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Skip;
import io.outledger.jdbc.admin.Verb;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A stop takes back what waits, and says of how much: what its owner is just saving is not. */
abstract class StoppedRequestContractTests extends LockingContractTests {

  private static final String ONE_OF_TWO =
      "2 messages up to position 2: 1 published again, 1 taken back";

  @Test
  final void stopIsOverWhenNoRowKeepsTheRequestLockedOrNot() throws SQLException {
    parkDead(owner(), 2);
    Request retry = retryOfDead();
    process().requests().ask(retry);
    whileLocked(1, () -> assertStopGoesOn(retry));
    assertThat(count("SELECT COUNT(requested) FROM outledger_parked")).isEqualTo(lockedRows());
    RequestStatus stopped = later(retry);
    assertThat(stopped.state()).isEqualTo(RequestState.STOPPED);
    assertThat(stopped.result()).startsWith("stopped: 2 asked for");
    assertThat(count("SELECT COUNT(requested) FROM outledger_parked")).isZero();
  }

  @Test
  final void stopWaitsAMomentForWhatIsLocked() throws SQLException {
    parkDead(owner(), 2);
    Request retry = retryOfDead();
    process().requests().ask(retry);
    if (lockedRows() == 0) {
      assertThat(process().requests().stop(retry.id()).state()).isEqualTo(RequestState.STOPPED);
      return;
    }
    try (Connection other = locking(1);
        Outledger still = slow(Duration.ZERO)) {
      CompletableFuture<Void> freed =
          CompletableFuture.runAsync(() -> rollBackOnceItIsBeingStopped(other));
      assertThat(still.requests().stop(retry.id()).state()).isEqualTo(RequestState.STOPPED);
      freed.join();
    }
  }

  private void rollBackOnceItIsBeingStopped(Connection other) {
    String stopping = "SELECT COUNT(*) FROM outledger_request WHERE work_place LIKE 'stopping %'";
    while (count(stopping) == 0) {
      Thread.onSpinWait();
    }
    try {
      other.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  final void stoppedReplayIsOverWhenNoCopyIsLeftLockedOrNot() throws SQLException {
    Request replay = replayOfTwo();
    whileLocked(1, () -> assertStopGoesOn(replay));
    assertThat(count("SELECT COUNT(*) FROM outledger_parked")).isEqualTo(lockedRows());
    assertThat(later(replay).state()).isEqualTo(RequestState.STOPPED);
    assertThat(count("SELECT COUNT(*) FROM outledger_parked")).isZero();
  }

  @Test
  final void replayThatAMoveEndsIsOverWhenNoCopyIsLeftLockedOrNot() throws SQLException {
    Request replay = replayOfTwo();
    Request move = new Skip(SUBSCRIPTION, Start.NOW).by(WHO, WHY);
    whileLocked(
        1,
        () -> {
          assertThat(process().requests().ask(move).state()).isEqualTo(RequestState.DONE);
          assertThat(statusOf(replay).state().isOver() && lockedRows() > 0).isFalse();
        });
    RequestStatus ended = later(replay);
    assertThat(ended.state()).isEqualTo(RequestState.STOPPED);
    assertThat(ended.result()).startsWith("ended, because the subscription was moved");
    assertThat(count("SELECT COUNT(*) FROM outledger_parked")).isZero();
  }

  @Test
  final void stopOfAReplayCountsWhatItHasRemovedAndNotWhatItsOwnerIsSaving() throws SQLException {
    Request replay = replayOfTwo();
    whileItsOwnerSavesOne(() -> assertStopGoesOn(replay));
    RequestStatus stopped = later(replay);
    assertThat(stopped.state()).isEqualTo(RequestState.STOPPED);
    assertThat(stopped.result()).isEqualTo("stopped: " + ONE_OF_TWO);
    assertThat(stopped.done()).isEqualTo(1);
  }

  @Test
  final void moveCountsTheCopiesItHasRemovedAndNotThoseItsOwnerIsSaving() throws SQLException {
    Request replay = replayOfTwo();
    Request move = new Skip(SUBSCRIPTION, Start.NOW).by(WHO, WHY);
    whileItsOwnerSavesOne(() -> process().requests().ask(move));
    RequestStatus ended = later(replay);
    assertThat(ended.result())
        .isEqualTo("ended, because the subscription was moved: " + ONE_OF_TWO);
    assertThat(ended.done()).isEqualTo(1);
  }

  @Test
  final void moveCountsWhatItsOwnerSavesUntilItIsFenced() throws SQLException {
    Request replay = replayOfTwo();
    if (lockedRows() == 0) {
      execute("DELETE FROM outledger_parked WHERE position = 1");
      process().subscriptions().skip(SUBSCRIPTION, Start.NOW);
    } else {
      try (Connection other = locking("outledger_retention")) {
        CompletableFuture<?> moved =
            CompletableFuture.supplyAsync(
                () -> process().subscriptions().skip(SUBSCRIPTION, Start.NOW));
        while (isFree("outledger_request WHERE verb = 'replay'")) {
          Thread.onSpinWait();
        }
        fixture().letPass(Duration.ofMillis(100));
        execute("DELETE FROM outledger_parked WHERE position = 1");
        other.rollback();
        moved.join();
      }
    }
    RequestStatus ended = process().requests().get(replay.id()).orElseThrow();
    assertThat(ended.result())
        .isEqualTo("ended, because the subscription was moved: " + ONE_OF_TWO);
  }

  @Test
  final void stopOfARetryCountsWhatItHasTakenBackAndNotWhatItsOwnerIsSaving() throws SQLException {
    parkDead(owner(), 2);
    Request retry = retryOfDead();
    process().requests().ask(retry);
    whileItsOwnerSavesOne(() -> assertStopGoesOn(retry));
    RequestStatus stopped = later(retry);
    assertThat(stopped.state()).isEqualTo(RequestState.STOPPED);
    assertThat(stopped.result())
        .isEqualTo(
            "stopped: 2 asked for: 1 came through or went to a later request, 0 failed again,"
                + " 1 are left as they were");
    assertThat(stopped.done()).isEqualTo(1);
  }

  /** Does something while a transaction that has removed a parked row has still to end. */
  private void whileItsOwnerSavesOne(Runnable work) throws SQLException {
    if (lockedRows() == 0) {
      execute("DELETE FROM outledger_parked WHERE position = 1");
      work.run();
      return;
    }
    try (Connection other = locking("outledger_parked WHERE position = 1")) {
      execute(other, "DELETE FROM outledger_parked WHERE position = 1");
      work.run();
      other.commit();
    }
  }

  private boolean isFree(String rows) {
    String sql = "SELECT * FROM " + rows + " FOR UPDATE SKIP LOCKED";
    return inTransactionOf(
        transaction -> {
          try (Statement statement = transaction.createStatement();
              ResultSet row = statement.executeQuery(sql)) {
            return row.next();
          }
        });
  }

  /** Asks for the replay of two messages, whose copies wait for their owner. */
  private Request replayOfTwo() {
    append("a", "b");
    settle(owner());
    Request replay =
        new Verb.Replay(SUBSCRIPTION, "", ReplayRange.ALL, Pace.UNLIMITED).by(WHO, WHY);
    process().requests().ask(replay);
    assertThat(count("SELECT COUNT(*) FROM outledger_parked")).isEqualTo(2);
    return replay;
  }

  private void assertStopGoesOn(Request request) {
    try (Outledger slow = slow(Duration.ofSeconds(1))) {
      assertThat(slow.requests().stop(request.id()).state())
          .isEqualTo(lockedRows() == 0 ? RequestState.STOPPED : RequestState.RUNNING);
    }
  }
}
