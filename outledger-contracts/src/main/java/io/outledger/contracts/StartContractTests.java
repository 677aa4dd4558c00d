// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.CursorRow;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a subscription comes into being, and what it reads first. */
abstract class StartContractTests extends StoreContractTests {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void firstLookMakesTheSubscriptionReleased() {
    RelayStore store = store();
    CursorRow made = store.look();
    assertThat(made.released()).isTrue();
    assertThat(store.look()).isEqualTo(made);
  }

  @Test
  void earliestStartReadsEverything() {
    List<Long> positions = committed("a", "b");
    assertThat(readFrom(Start.EARLIEST)).isEqualTo(positions);
  }

  @Test
  void startNowReadsNothingThatIsCommitted() {
    committed("a", "b");
    rolledBack();
    committed("c");
    assertThat(readFrom(Start.NOW)).isEmpty();
  }

  @Test
  void startNowReadsALowerNumberThatCommitsLater() {
    if (isForOneWriter()) {
      return;
    }
    LedgerWriter slow = fixture().begin();
    long late = slow.append(message("late"));
    committed("before");
    RelayStore store = fixture().open("now", Start.NOW);
    store.look();
    slow.commit();
    long after = committed("after").get(0);
    assertThat(read(store)).containsExactly(late, after);
  }

  @Test
  void startNowOfAnEmptyLedgerReadsWhatComesNext() {
    RelayStore store = fixture().open("now", Start.NOW);
    store.look();
    assertThat(committed("a")).isEqualTo(read(store));
  }

  @Test
  void startAtAPositionReadsItAndWhatIsAbove() {
    List<Long> positions = committed("a", "b", "c");
    assertThat(readFrom(Start.at(positions.get(1)))).isEqualTo(positions.subList(1, 3));
  }

  @Test
  void startAtATimeReadsFromTheFirstMessageOfThatTime() {
    committed(at(NOON.minusSeconds(1)));
    long atNoon = committed(at(NOON));
    long later = committed(at(NOON.plusSeconds(1)));
    assertThat(readFrom(Start.at(NOON))).containsExactly(atNoon, later);
  }

  @Test
  void startAtATimeReadsALowerNumberThatCommitsLater() {
    if (isForOneWriter()) {
      return;
    }
    LedgerWriter slow = fixture().begin();
    long late = slow.append(at(NOON.minusSeconds(5)));
    committed(at(NOON.minusSeconds(1)));
    long atNoon = committed(at(NOON));
    RelayStore store = fixture().open("noon", Start.at(NOON));
    store.look();
    slow.commit();
    assertThat(read(store)).containsExactly(late, atNoon);
  }

  @Test
  void startIsReadOnceAndThenTheCursorCounts() {
    List<Long> positions = committed("a", "b");
    Owner first = owner();
    first.save(new Frontier(positions.get(0), Positions.NONE));
    first.release();
    RelayStore second = fixture().open(SUBSCRIPTION, Start.NOW);
    assertThat(read(second)).containsExactly(positions.get(1));
  }

  @Test
  void subscriptionsHaveCursorsOfTheirOwn() {
    List<Long> positions = committed("a", "b");
    owner().save(new Frontier(positions.get(1), Positions.NONE));
    assertThat(readFrom(Start.EARLIEST)).isEqualTo(positions);
  }

  private List<Long> readFrom(Start start) {
    return read(fixture().open("another", start));
  }

  private static List<Long> read(RelayStore store) {
    Frontier frontier = Owner.of(store, LONG).frontier();
    return positions(store.poll(above(frontier.high(), frontier.open())));
  }

  private static Message at(Instant time) {
    return Message.to("orders", "order.placed").time(time).build();
  }
}
