// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static io.outledger.contracts.ParkedRows.fail;
import static io.outledger.contracts.ParkedRows.park;
import static io.outledger.contracts.ParkedRows.positionsOf;
import static io.outledger.contracts.ParkedRows.remove;
import static io.outledger.store.ParkedState.DEAD;
import static io.outledger.store.ParkedState.HELD;
import static io.outledger.store.ParkedState.RETRYING;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.store.LeaseGrant.BlockedKey;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.RelayStore;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How the messages of a blocked key wait, and how a successor learns of them. */
abstract class BlockedKeyContractTests extends StoreContractTests {

  private static final int LIMIT = 100;

  @Test
  void heldMessagesOfAKeyComeInOrderOfPosition() {
    Owner owner = owner();
    owner.save(park(1, "a", RETRYING, LONG), park(2, "a", HELD, null), park(3, "b", HELD, null));
    owner.save(park(9, "a", HELD, null), park(4, "a", HELD, null));
    RelayStore store = owner.store();
    assertThat(positionsOf(store.held("", "a", LIMIT))).containsExactly(2L, 4L, 9L);
    assertThat(positionsOf(store.held("", "a", 2))).containsExactly(2L, 4L);
    assertThat(store.held("", "A", LIMIT)).isEmpty();
  }

  @Test
  void heldMessagesOfRoutesAreApart() {
    Owner owner = owner();
    owner.save(park(1, "mail", "a", HELD, null), park(2, "stock", "a", HELD, null));
    assertThat(positionsOf(owner.store().held("mail", "a", LIMIT))).containsExactly(1L);
    assertThat(owner.store().held("", "a", LIMIT)).isEmpty();
  }

  @Test
  void heldMessageCarriesTheWholeMessage() {
    Owner owner = owner();
    ParkedChange.Park parked = park(1, "a", HELD, null);
    owner.save(parked);
    assertThat(owner.store().held("", "a", LIMIT).get(0))
        .usingRecursiveComparison()
        .ignoringFields("parkedAt")
        .isEqualTo(parked.message());
  }

  @Test
  void successorLearnsOfBlockedKeys() {
    Owner owner = owner();
    owner.save(
        park(1, "a", RETRYING, LONG),
        park(2, "a", HELD, null),
        park(3, "b", HELD, null),
        park(4, "mail", "a", DEAD, null));
    assertThat(owner().grant().blocked())
        .containsExactlyInAnyOrder(
            new BlockedKey("", "a", 2, 1), new BlockedKey("mail", "a", 1, 1));
  }

  @Test
  void keysWhoseRowsAreAllHeldAreReadBitByBit() {
    Owner owner = owner();
    owner.save(
        park(1, "a", RETRYING, LONG),
        park(2, "a", HELD, null),
        park(3, "b", HELD, null),
        park(4, "b", HELD, null),
        park(5, "B", HELD, null),
        park(6, "mail", "c", HELD, null));
    RelayStore store = owner().store();
    assertThat(store.releasable(Set.of("", "other"), LIMIT))
        .containsExactlyInAnyOrder(new BlockedKey("", "b", 2, 0), new BlockedKey("", "B", 1, 0));
    assertThat(store.releasable(Set.of("", "mail"), 2)).hasSize(2);
    assertThat(store.releasable(Set.of("", "mail"), 3)).hasSize(3);
  }

  @Test
  void messageThatDoesNotBlockLeavesItsKeyFree() {
    Owner owner = owner();
    ParkedMessage free =
        new ParkedMessage(1, "", message("a"), DEAD, 5, false, null, false, 0, null);
    owner.save(new ParkedChange.Park(free, "no", null));
    assertThat(owner().grant().blocked()).isEmpty();
  }

  @Test
  void deadLetterThatStopsBlockingFreesItsKey() {
    Owner owner = owner();
    owner.save(park(1, "a", RETRYING, LONG));
    owner.save(fail(1, 2, null));
    assertThat(owner().grant().blocked()).isEmpty();
  }

  @Test
  void keyIsFreeOnceItsLastRowIsRemoved() {
    Owner owner = owner();
    owner.save(park(1, "a", RETRYING, LONG), park(2, "a", HELD, null));
    owner.save(remove(1, ""));
    Owner second = owner();
    assertThat(second.grant().blocked()).isEmpty();
    assertThat(second.store().releasable(Set.of(""), LIMIT))
        .containsExactly(new BlockedKey("", "a", 1, 0));
    second.save(remove(2, ""));
    assertThat(owner().store().releasable(Set.of(""), LIMIT)).isEmpty();
  }
}
