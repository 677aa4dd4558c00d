// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static io.outledger.contracts.ParkedRows.positionsOf;
import static io.outledger.store.ParkedState.DEAD;
import static io.outledger.store.ParkedState.HELD;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message that cannot be read is told of, with its id and key, and can be parked as it is. */
abstract class UnreadableContractTests extends StoreContractTests {

  private static final int LIMIT = 100;

  private final Message bad = message("a");

  private LedgerMessage unreadable(Owner owner) {
    committed(message("b"));
    long position = committed(bad);
    fixture().makeUnreadable(position);
    committed(message("c"));
    Page page = owner.store().poll(above(0));
    assertThat(positions(page)).containsExactly(1L, 2L, 3L);
    assertThat(page.messages())
        .extracting(m -> m.unreadable() == null)
        .containsExactly(true, false, true);
    return page.messages().get(1);
  }

  private static void park(Owner owner, LedgerMessage message, ParkedState state) {
    ParkedMessage row =
        new ParkedMessage(
            message.position(),
            "",
            message.message(),
            state,
            0,
            true,
            message.unreadable(),
            false,
            0,
            null);
    owner.save(new ParkedChange.Park(row, message.unreadable(), null));
  }

  @Test
  void unreadableMessageIsToldWithItsIdAndKeyAndStandsInNobodysWay() {
    Message read = unreadable(owner()).message();
    assertThat(read.id()).isEqualTo(bad.id());
    assertThat(read.key()).isEqualTo("a");
    assertThat(read.type()).isEqualTo(bad.type());
  }

  @Test
  void unreadableMessageIsParkedAndComesBackUnreadable() {
    Owner owner = owner();
    park(owner, unreadable(owner), DEAD);
    fixture().requestRetry(SUBSCRIPTION, 2, "");
    List<ParkedMessage> due = owner.due();
    assertThat(positionsOf(due)).containsExactly(2L);
    assertThat(due.get(0).unreadable()).isNotNull();
    assertThat(due.get(0).message().id()).isEqualTo(bad.id());
  }

  @Test
  void unreadableMessageIsHeldInItsTurn() {
    Owner owner = owner();
    park(owner, unreadable(owner), HELD);
    assertThat(owner.store().held("", "a", LIMIT))
        .singleElement()
        .satisfies(row -> assertThat(row.unreadable()).isNotNull());
  }

  @Test
  void unreadableMessageCanBeDiscarded() {
    Owner owner = owner();
    park(owner, unreadable(owner), DEAD);
    fixture().requestDiscard(SUBSCRIPTION, 2, "");
    assertThat(positionsOf(owner.store().discards(ParkedPlace.FIRST, LIMIT))).containsExactly(2L);
  }
}
