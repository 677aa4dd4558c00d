// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.RowState.HELD;
import static io.outledger.relay.route.RowState.NONE;
import static io.outledger.relay.route.RowState.RETRYING;
import static io.outledger.relay.route.RowState.UNDERWAY;
import static io.outledger.relay.route.RowState.UNTIL_RESUMED;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.store.LeaseGrant.BlockedKey;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeyBlocksTest {

  private static final Place ROW = new Place(0, 1, new UUID(0, 1));

  private final KeyBlocks blocks = new KeyBlocks();

  @Test
  void keyWaitsUntilEachOfItsWaitingRowsHasBeenTried() {
    blocks.load(new BlockedKey("", "k", 3, 2));

    blocks.move("k", ROW, RETRYING, UNDERWAY);
    blocks.move("k", ROW, UNDERWAY, NONE);
    assertThat(blocks.isBehindAny("k", ROW, false)).isTrue();
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();

    blocks.move("k", ROW, RETRYING, UNDERWAY);
    blocks.move("k", ROW, UNDERWAY, NONE);
    assertThat(blocks.isBehindAny("k", ROW, false)).isFalse();
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
  }

  @Test
  void keysAreCountedByWhatTheyWaitFor() {
    blocks.load(new BlockedKey("", "paused", 3, 1, 1));
    blocks.load(new BlockedKey("", "failed", 2, 1, 0));
    blocks.load(new BlockedKey("", "held", 2, 0, 0));
    blocks.move("new", ROW, NONE, UNTIL_RESUMED);
    assertThat(blocks.waiting()).isEqualTo(3);
    assertThat(blocks.untilResumed()).isEqualTo(2);

    blocks.move("paused", ROW, RETRYING, UNDERWAY);
    blocks.move("failed", ROW, RETRYING, UNDERWAY);
    blocks.move("failed", ROW, UNDERWAY, UNTIL_RESUMED);
    blocks.move("new", ROW, RETRYING, UNDERWAY);
    blocks.move("new", ROW, UNDERWAY, RETRYING);
    assertThat(blocks.waiting()).isEqualTo(2);
    assertThat(blocks.untilResumed()).isEqualTo(1);

    blocks.forget("failed");
    blocks.move("new", ROW, RETRYING, NONE);
    blocks.saved();
    assertThat(blocks.waiting()).isZero();
    assertThat(blocks.untilResumed()).isZero();
    assertThat(blocks.keys()).isEqualTo(2);
  }

  @Test
  void heldRowsBehindOneThatStayedStayUntilAllAreReadAgain() {
    blocks.load(new BlockedKey("", "k", 3, 0));
    blocks.move("k", ROW, HELD, UNDERWAY);
    blocks.move("k", ROW, HELD, UNDERWAY);
    blocks.move("k", ROW, HELD, UNDERWAY);

    blocks.move("k", ROW, UNDERWAY, RETRYING);
    blocks.move("k", ROW, UNDERWAY, HELD);
    blocks.move("k", ROW, RETRYING, UNDERWAY);
    blocks.move("k", ROW, UNDERWAY, NONE);

    assertThat(blocks.heldMustStay("k")).isTrue();
    blocks.move("k", ROW, UNDERWAY, HELD);
    assertThat(blocks.heldMustStay("k")).isFalse();
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
  }

  @Test
  void heldRowsThatAreBeingTriedStayBehindARowTriedAgain() {
    blocks.load(new BlockedKey("", "k", 2, 1));
    blocks.move("k", ROW, HELD, UNDERWAY);

    blocks.move("k", ROW, RETRYING, UNDERWAY);

    assertThat(blocks.heldMustStay("k")).isTrue();
  }

  @Test
  void keyIsUnblockedOnlyByTheSaveThatRemovedItsLastRow() {
    blocks.move("k", ROW, NONE, RETRYING);
    blocks.saved();
    blocks.move("k", ROW, RETRYING, UNDERWAY);
    blocks.move("k", ROW, UNDERWAY, NONE);

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
    blocks.move("k", ROW, HELD, UNDERWAY);
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
    blocks.move("k", ROW, UNDERWAY, NONE);
    blocks.move("k", ROW, HELD, UNDERWAY);
    blocks.move("k", ROW, UNDERWAY, RETRYING);
    assertThat(blocks.isBehindAny("k", ROW, false)).isTrue();
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
    blocks.move("k", ROW, RETRYING, UNDERWAY);
    blocks.move("k", ROW, UNDERWAY, NONE);
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
  }

  @Test
  void keyWaitsForADeadLetterThatBlocksItUntilItIsDiscarded() {
    blocks.move("k", ROW, NONE, RowState.DEAD);
    blocks.move("k", ROW, NONE, HELD);
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
    blocks.move("k", ROW, RowState.DEAD, NONE);
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
  }

  @Test
  void rowThatBlocksNoKeyLeavesTheKeyFree() {
    blocks.move("k", ROW, NONE, NONE);
    assertThat(blocks.isBlocked("k")).isFalse();
  }

  @Test
  void heldRowThatFailsBehindOneThatIsWaitedForHoldsThoseBehindIt() {
    blocks.load(new BlockedKey("", "k", 3, 0));
    blocks.move("k", ROW, HELD, UNDERWAY);
    blocks.move("k", ROW, HELD, UNDERWAY);
    blocks.move("k", ROW, UNDERWAY, RETRYING);
    assertThat(blocks.heldMustStay("k")).isTrue();
    blocks.move("k", ROW, UNDERWAY, HELD);
    blocks.move("k", ROW, RETRYING, UNDERWAY);
    assertThat(blocks.heldMustStay("k")).isFalse();
    blocks.move("k", ROW, UNDERWAY, NONE);
    assertThat(blocks.freeRows()).isEqualTo(2);
  }

  @Test
  void heldRowBehindOneThatWaitsFreesNothing() {
    blocks.move("k", ROW, NONE, RETRYING);
    blocks.move("k", ROW, NONE, HELD);
    assertThat(blocks.heldMustStay("k")).isTrue();
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
    blocks.move("k", ROW, RETRYING, UNDERWAY);
    blocks.move("k", ROW, UNDERWAY, NONE);
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
  }

  @Test
  void keyThatWaitsForTwoRowsWaitsUntilBothAreDone() {
    blocks.move("k", ROW, NONE, RETRYING);
    blocks.move("k", ROW, NONE, RETRYING);
    blocks.move("k", ROW, NONE, HELD);
    for (int i = 0; i < 2; i++) {
      assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
      assertThat(blocks.freeRows()).isZero();
      blocks.move("k", ROW, RETRYING, UNDERWAY);
      blocks.move("k", ROW, UNDERWAY, NONE);
    }
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
    assertThat(blocks.freeRows()).isEqualTo(1);
  }

  /** Of positions that tell nothing, since each ledger has its own. */
  @Test
  void rowOfTheEarlierLedgerIsBeforeTheMessagesOfThisOneThatAreHeldBehindIt() {
    Place earlier = new Place(1, 500, new UUID(0, 1));
    blocks.load(new BlockedKey("", "k", 1, 1));
    blocks.move("k", new Place(0, 3, new UUID(0, 2)), NONE, HELD);
    blocks.move("k", earlier, RETRYING, UNDERWAY);
    assertThat(blocks.isBehindAny("k", earlier, false)).isFalse();
    assertThat(blocks.isBehindAny("k", new Place(0, 4, new UUID(0, 3)), false)).isTrue();
  }

  @Test
  void keyThatIsBlockedASecondTimeIsBlockedLikeTheFirst() {
    for (int round = 0; round < 3; round++) {
      blocks.move("k", ROW, NONE, RETRYING);
      blocks.move("k", ROW, NONE, HELD);
      blocks.move("k", ROW, RETRYING, UNDERWAY);
      blocks.move("k", ROW, UNDERWAY, NONE);
      assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
      blocks.move("k", ROW, HELD, UNDERWAY);
      blocks.move("k", ROW, UNDERWAY, NONE);
      assertThat(blocks.isBlocked("k")).isTrue();
      blocks.saved();
      assertThat(blocks.isBlocked("k")).isFalse();
      assertThat(blocks.freeRows()).isZero();
    }
  }

  @Test
  void whereNotEachKeyIsKnownEachMayBeBlockedAndNothingIsRemembered() {
    blocks.load(new BlockedKey("", "k", 1, 1));
    blocks.knowsEach(false);
    assertThat(blocks.isBlocked("unknown")).isTrue();
    assertThat(blocks.isBehindAny("unknown", ROW, true)).isTrue();
    assertThat(blocks.isBehindAny("unknown", ROW, false)).isFalse();
    blocks.move("unknown", ROW, NONE, HELD);
    assertThat(blocks.keys()).isEqualTo(1);
    blocks.load(new BlockedKey("", "unknown", 7, 0));
    blocks.load(new BlockedKey("", "k", 9, 0));
    assertThat(blocks.freeRows()).as("k stays as it is").isEqualTo(7);
    blocks.knowsEach(true);
    assertThat(blocks.isBlocked("another")).isFalse();
  }
}
