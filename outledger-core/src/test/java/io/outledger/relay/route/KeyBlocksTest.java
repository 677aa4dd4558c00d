// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.RowState.HELD;
import static io.outledger.relay.route.RowState.NONE;
import static io.outledger.relay.route.RowState.RETRYING;
import static io.outledger.relay.route.RowState.UNDERWAY;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.store.LeaseGrant.BlockedKey;
import org.junit.jupiter.api.Test;

class KeyBlocksTest {

  private final KeyBlocks blocks = new KeyBlocks();

  @Test
  void keyWaitsUntilEachOfItsWaitingRowsHasBeenTried() {
    blocks.load(new BlockedKey("", "k", 3, 2));

    blocks.move("k", 1, RETRYING, UNDERWAY);
    blocks.move("k", 1, UNDERWAY, NONE);
    assertThat(blocks.isBehindAny("k", 1, false)).isTrue();
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();

    blocks.move("k", 1, RETRYING, UNDERWAY);
    blocks.move("k", 1, UNDERWAY, NONE);
    assertThat(blocks.isBehindAny("k", 1, false)).isFalse();
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
  }

  @Test
  void heldRowsBehindOneThatStayedStayUntilAllAreReadAgain() {
    blocks.load(new BlockedKey("", "k", 3, 0));
    blocks.move("k", 1, HELD, UNDERWAY);
    blocks.move("k", 1, HELD, UNDERWAY);
    blocks.move("k", 1, HELD, UNDERWAY);

    blocks.move("k", 1, UNDERWAY, RETRYING);
    blocks.move("k", 1, UNDERWAY, HELD);
    blocks.move("k", 1, RETRYING, UNDERWAY);
    blocks.move("k", 1, UNDERWAY, NONE);

    assertThat(blocks.heldMustStay("k")).isTrue();
    blocks.move("k", 1, UNDERWAY, HELD);
    assertThat(blocks.heldMustStay("k")).isFalse();
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
  }

  @Test
  void heldRowsThatAreBeingTriedStayBehindARowTriedAgain() {
    blocks.load(new BlockedKey("", "k", 2, 1));
    blocks.move("k", 1, HELD, UNDERWAY);

    blocks.move("k", 1, RETRYING, UNDERWAY);

    assertThat(blocks.heldMustStay("k")).isTrue();
  }

  @Test
  void keyIsUnblockedOnlyByTheSaveThatRemovedItsLastRow() {
    blocks.move("k", 1, NONE, RETRYING);
    blocks.saved();
    blocks.move("k", 1, RETRYING, UNDERWAY);
    blocks.move("k", 1, UNDERWAY, NONE);

    assertThat(blocks.isBlocked("k")).isTrue();
    blocks.saved();
    assertThat(blocks.isBlocked("k")).isFalse();
  }

  @Test
  void keyIsTakenOnceAndNotWhileAnEarlierMessageOfItIsKeptBack() {
    blocks.load(new BlockedKey("", "k", 1, 0));
    blocks.load(new BlockedKey("", "l", 1, 0));
    assertThat(blocks.takeReleasable(10, "k"::equals)).containsExactly("l");
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
  }

  @Test
  void noMoreKeysAreTakenThanWanted() {
    blocks.load(new BlockedKey("", "k", 1, 0));
    blocks.load(new BlockedKey("", "l", 1, 0));
    assertThat(blocks.takeReleasable(1, key -> false)).hasSize(1);
    assertThat(blocks.takeReleasable(1, key -> false)).hasSize(1);
  }

  @Test
  void keyWhoseRowIsBeingTriedIsNotTaken() {
    blocks.load(new BlockedKey("", "k", 2, 0));
    blocks.move("k", 1, HELD, UNDERWAY);
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
    blocks.move("k", 1, UNDERWAY, NONE);
    blocks.move("k", 1, HELD, UNDERWAY);
    blocks.move("k", 1, UNDERWAY, RETRYING);
    assertThat(blocks.isBehindAny("k", 1, false)).isTrue();
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
  }

  @Test
  void keyWhoseRowsSomebodyDeletedIsFreeWithTheNextSave() {
    blocks.load(new BlockedKey("", "k", 5, 0));
    blocks.forget("k");
    blocks.forget("unknown");
    assertThat(blocks.isBlocked("k")).isTrue();
    blocks.saved();
    assertThat(blocks.isBlocked("k")).isFalse();
  }

  @Test
  void keyWithoutARowIsNotTaken() {
    blocks.load(new BlockedKey("", "k", 1, 1));
    blocks.move("k", 1, RETRYING, UNDERWAY);
    blocks.move("k", 1, UNDERWAY, NONE);
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
  }

  @Test
  void keyWaitsForADeadLetterThatBlocksItUntilItIsDiscarded() {
    blocks.move("k", 1, NONE, RowState.DEAD);
    blocks.move("k", 1, NONE, HELD);
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
    blocks.move("k", 1, RowState.DEAD, NONE);
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
  }

  @Test
  void rowThatBlocksNoKeyLeavesTheKeyFree() {
    blocks.move("k", 1, NONE, NONE);
    assertThat(blocks.isBlocked("k")).isFalse();
  }

  @Test
  void heldRowThatFailsBehindOneThatIsWaitedForHoldsThoseBehindIt() {
    blocks.load(new BlockedKey("", "k", 3, 0));
    blocks.move("k", 1, HELD, UNDERWAY);
    blocks.move("k", 1, HELD, UNDERWAY);
    blocks.move("k", 1, UNDERWAY, RETRYING);
    assertThat(blocks.heldMustStay("k")).isTrue();
    blocks.move("k", 1, UNDERWAY, HELD);
    blocks.move("k", 1, RETRYING, UNDERWAY);
    assertThat(blocks.heldMustStay("k")).isFalse();
    blocks.move("k", 1, UNDERWAY, NONE);
    assertThat(blocks.freeRows()).isEqualTo(2);
  }

  @Test
  void heldRowBehindOneThatWaitsFreesNothing() {
    blocks.move("k", 1, NONE, RETRYING);
    blocks.move("k", 1, NONE, HELD);
    assertThat(blocks.heldMustStay("k")).isTrue();
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
    blocks.move("k", 1, RETRYING, UNDERWAY);
    blocks.move("k", 1, UNDERWAY, NONE);
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
  }

  @Test
  void keyThatWaitsForTwoRowsWaitsUntilBothAreDone() {
    blocks.move("k", 1, NONE, RETRYING);
    blocks.move("k", 1, NONE, RETRYING);
    blocks.move("k", 1, NONE, HELD);
    for (int i = 0; i < 2; i++) {
      assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
      assertThat(blocks.freeRows()).isZero();
      blocks.move("k", 1, RETRYING, UNDERWAY);
      blocks.move("k", 1, UNDERWAY, NONE);
    }
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
    assertThat(blocks.freeRows()).isEqualTo(1);
  }

  @Test
  void keyThatIsBlockedASecondTimeIsBlockedLikeTheFirst() {
    for (int round = 0; round < 3; round++) {
      blocks.move("k", 1, NONE, RETRYING);
      blocks.move("k", 1, NONE, HELD);
      blocks.move("k", 1, RETRYING, UNDERWAY);
      blocks.move("k", 1, UNDERWAY, NONE);
      assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
      blocks.move("k", 1, HELD, UNDERWAY);
      blocks.move("k", 1, UNDERWAY, NONE);
      assertThat(blocks.isBlocked("k")).isTrue();
      blocks.saved();
      assertThat(blocks.isBlocked("k")).isFalse();
      assertThat(blocks.freeRows()).isZero();
    }
  }
}
