// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.store.LeaseGrant.BlockedKey;
import org.junit.jupiter.api.Test;

class KeyBlocksTest {

  private final KeyBlocks blocks = new KeyBlocks();

  @Test
  void keyWaitsUntilEachOfItsWaitingRowsHasBeenTried() {
    blocks.load(new BlockedKey("", "k", 3, 2));

    blocks.trying("k", true);
    blocks.removed("k");
    assertThat(blocks.waits("k")).isTrue();
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();

    blocks.trying("k", true);
    blocks.removed("k");
    assertThat(blocks.waits("k")).isFalse();
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
  }

  @Test
  void heldRowsBehindOneThatStayedStayUntilAllAreReadAgain() {
    blocks.load(new BlockedKey("", "k", 3, 0));
    blocks.trying("k", false);
    blocks.trying("k", false);
    blocks.trying("k", false);

    blocks.parkedAgain("k", true);
    blocks.stayed("k");
    blocks.trying("k", true);
    blocks.removed("k");

    assertThat(blocks.heldMustStay("k")).isTrue();
    blocks.stayed("k");
    assertThat(blocks.heldMustStay("k")).isFalse();
    assertThat(blocks.takeReleasable(10, key -> false)).containsExactly("k");
  }

  @Test
  void heldRowsThatAreBeingTriedStayBehindARowTriedAgain() {
    blocks.load(new BlockedKey("", "k", 2, 1));
    blocks.trying("k", false);

    blocks.trying("k", true);

    assertThat(blocks.heldMustStay("k")).isTrue();
  }

  @Test
  void keyIsUnblockedOnlyByTheSaveThatRemovedItsLastRow() {
    blocks.added("k", true);
    blocks.saved();
    blocks.trying("k", true);
    blocks.removed("k");

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
    blocks.trying("k", false);
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
    blocks.removed("k");
    blocks.trying("k", false);
    blocks.parkedAgain("k", true);
    assertThat(blocks.waits("k")).isTrue();
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
    blocks.trying("k", true);
    blocks.removed("k");
    assertThat(blocks.takeReleasable(10, key -> false)).isEmpty();
  }
}
