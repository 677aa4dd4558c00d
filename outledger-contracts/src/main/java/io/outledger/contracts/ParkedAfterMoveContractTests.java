// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static io.outledger.contracts.ParkedRows.park;
import static io.outledger.contracts.ParkedRows.positionsOf;
import static io.outledger.store.ParkedState.DEAD;
import static io.outledger.store.ParkedState.HELD;
import static io.outledger.store.ParkedState.RETRYING;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.LeaseGrant.BlockedKey;
import io.outledger.store.ParkedPlace;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests parked rows together with messages that are read again: one that is read after a move is no
 * longer parked, and a successor learns which messages one route has parked while others work.
 */
abstract class ParkedAfterMoveContractTests extends StoreContractTests {

  private static final Duration NOW = Duration.ZERO;
  private static final int LIMIT = 100;

  /** The messages are those that the tests park at their positions. */
  private Owner ownerOf(int messages) {
    for (int position = 1; position <= messages; position++) {
      committed(message(position, "a"));
    }
    Owner owner = owner();
    owner.save(new Frontier(messages, Positions.NONE));
    return owner;
  }

  @Test
  void messagesReadAgainAreNoLongerParkedAndOthersStay() {
    Owner owner = ownerOf(4);
    owner.save(
        park(1, "a", RETRYING, NOW),
        park(2, "a", HELD, null),
        park(3, "a", RETRYING, NOW),
        park(4, "b", DEAD, null));
    fixture().move(SUBSCRIPTION, Start.at(2));
    Owner next = owner();
    assertThat(next.grant().frontier()).isEqualTo(new Frontier(1, Positions.NONE));
    assertThat(next.grant().blocked()).containsExactly(new BlockedKey("", "a", 1, 1));
    assertThat(next.grant().parked()).isEmpty();
    assertThat(positionsOf(next.due())).containsExactly(1L);
    assertThat(next.store().held("", "a", LIMIT)).isEmpty();
  }

  @Test
  void requestDoesNotOutliveAMoveBack() {
    Owner owner = ownerOf(2);
    owner.save(park(1, "a", DEAD, null), park(2, "b", DEAD, null));
    fixture().requestRetry(SUBSCRIPTION, 1, "");
    fixture().requestDiscard(SUBSCRIPTION, 2, "");
    fixture().move(SUBSCRIPTION, Start.EARLIEST);
    Owner next = owner();
    assertThat(next.due()).isEmpty();
    assertThat(next.store().discards(ParkedPlace.FIRST, LIMIT)).isEmpty();
    next.save(park(1, "a", RETRYING, LONG));
    assertThat(next.due()).isEmpty();
  }

  @Test
  void whatWasNotSettledBelowAPlaceFurtherBackStaysOpen() {
    if (isForOneWriter()) {
      return;
    }
    LedgerWriter slow = fixture().begin();
    long late = slow.append(message("a"));
    List<Long> positions = committed("b", "c", "d");
    Owner owner = owner();
    owner.save(new Frontier(positions.get(2), Positions.of(late, positions.get(0))));
    fixture().move(SUBSCRIPTION, Start.at(positions.get(2)));
    slow.commit();
    Frontier next = owner().frontier();
    assertThat(positions(store().poll(above(next.high(), next.open()))))
        .containsExactly(late, positions.get(0), positions.get(2));
  }

  @Test
  void skipToNowOpensNoHoleAgainThatWasSettled() {
    if (isForOneWriter()) {
      return;
    }
    LedgerWriter slow = fixture().begin();
    slow.append(message("a"));
    long last = committed("b", "c").get(1);
    slow.rollback();
    owner().save(new Frontier(last, Positions.of(last)));
    fixture().skip(SUBSCRIPTION, Start.NOW);
    assertThat(owner().frontier()).isEqualTo(new Frontier(last, Positions.NONE));
  }

  @Test
  void skipLeavesWhatIsParked() {
    Owner owner = ownerOf(2);
    owner.save(park(1, "a", RETRYING, NOW), park(2, "b", DEAD, null));
    committed(message("c"));
    fixture().skip(SUBSCRIPTION, Start.NOW);
    Owner next = owner();
    assertThat(positionsOf(next.due())).containsExactly(1L);
    assertThat(next.grant().parked()).isEmpty();
  }

  @Test
  void parkedMessageThatTheLedgerHasNoMoreStaysParked() {
    Owner owner = owner();
    owner.save(park(12, "a", RETRYING, NOW));
    fixture().move(SUBSCRIPTION, Start.EARLIEST);
    assertThat(positionsOf(owner().due())).containsExactly(12L);
  }

  @Test
  void ownerOfBeforeParksNothingAfterAMoveBack() {
    Owner owner = ownerOf(2);
    fixture().move(SUBSCRIPTION, Start.EARLIEST);
    assertThat(owner.trySave(owner.frontier(), park(1, "a", RETRYING, NOW)))
        .isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(owner().due()).isEmpty();
  }

  @Test
  void successorLearnsWhatOneRouteHasParkedWhileOthersHaveNotSettledIt() {
    Owner owner = ownerOf(5);
    owner.save(
        park(1, "mail", "a", RETRYING, LONG),
        park(3, "mail", "a", HELD, null),
        park(3, "stock", "a", DEAD, null),
        park(5, "mail", "a", HELD, null));
    owner.save(new Frontier(4, Positions.of(2, 3)));
    assertThat(owner().grant().parked())
        .containsExactlyInAnyOrder(
            ParkedRows.place("mail", 3), ParkedRows.place("stock", 3), ParkedRows.place("mail", 5));
  }
}
