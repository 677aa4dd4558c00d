// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedState;
import io.outledger.store.SaveOutcome;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An owner that was succeeded changes nothing, however long it was frozen. */
abstract class FenceContractTests extends StoreContractTests {

  @Test
  void predecessorsSaveWritesNothing() {
    long position = committed("a").get(0);
    Owner frozen = owner();
    Owner successor = owner();
    assertThat(frozen.trySave(new Frontier(position, Positions.NONE)))
        .isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(store().look().n()).isEqualTo(successor.n());
    assertThat(owner().frontier()).isEqualTo(Frontier.START);
  }

  @Test
  void predecessorsParkedMessagesAreNotLeftBehind() {
    long position = committed("a").get(0);
    Owner frozen = owner();
    owner();
    assertThat(frozen.trySave(new Frontier(position, Positions.NONE), dead(position)))
        .isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(owner().grant().blocked()).isEmpty();
    fixture().letPass(SHORT);
    assertThat(store().due(ROUTES, Set.of(), 10)).isEmpty();
  }

  @Test
  void predecessorRemovesNoParkedMessage() {
    long position = committed("a").get(0);
    Owner frozen = owner();
    frozen.save(retrying(position));
    Owner successor = owner();
    assertThat(frozen.trySave(frozen.frontier(), ParkedRows.remove(position, "")))
        .isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(successor.due()).hasSize(1);
  }

  @Test
  void predecessorsOverflowIsNotLeftBehind() {
    long position = committed("a").get(0);
    Owner frozen = owner();
    frozen.saveOverflow(new Frontier(position, Positions.of(position)), Positions.of(position));
    Owner successor = owner();
    successor.saveOverflow(new Frontier(position, Positions.NONE), Positions.NONE);
    assertThat(frozen.trySave(new Frontier(position, Positions.of(position))))
        .isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(owner().frontier()).isEqualTo(new Frontier(position, Positions.NONE));
  }

  @Test
  void predecessorIsFencedAfterItsSuccessorsRowsWerePurged() {
    long position = committed("a").get(0);
    Owner frozen = owner();
    Owner successor = owner();
    for (int saves = 0; saves < 5; saves++) {
      successor.save(Frontier.START);
    }
    fixture().removeOldCursorRows(SUBSCRIPTION);
    assertThat(frozen.trySave(new Frontier(position, Positions.NONE), dead(position)))
        .isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(store().look().n()).isEqualTo(successor.n());
    Owner next = owner();
    assertThat(next.frontier()).isEqualTo(Frontier.START);
    assertThat(next.grant().blocked()).isEmpty();
  }

  @Test
  void predecessorIsFencedAfterItsSuccessorGaveTheLeaseBack() {
    Owner frozen = owner();
    owner().release();
    assertThat(frozen.trySave(Frontier.START)).isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(store().look().released()).isTrue();
  }

  @Test
  void successorGoesOnWhateverItsPredecessorTries() {
    long position = committed("a").get(0);
    Owner frozen = owner();
    Owner successor = owner();
    frozen.trySave(Frontier.START);
    successor.save(new Frontier(position, Positions.NONE));
    frozen.trySave(Frontier.START);
    successor.save(new Frontier(position, Positions.NONE));
    assertThat(owner().frontier()).isEqualTo(new Frontier(position, Positions.NONE));
  }

  private static ParkedChange dead(long position) {
    return ParkedRows.park(position, "a", ParkedState.DEAD, null);
  }

  private static ParkedChange retrying(long position) {
    return ParkedRows.park(position, "a", ParkedState.RETRYING, Duration.ZERO);
  }
}
