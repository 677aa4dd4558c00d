// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What an owner sees after an operator has erased a message, or has asked for messages once more.
 */
abstract class ErasedAndReplayedContractTests extends StoreContractTests {

  private static final int LIMIT = 100;

  private static List<LedgerMessage> messagesOf(Owner owner) {
    return owner.store().poll(above(0)).messages();
  }

  private static void settle(Owner owner, long... positions) {
    Page page = owner.store().poll(above(0));
    owner.save(owner.frontier().readTo(page.readTo()).settle(Positions.of(positions)));
  }

  private static ParkedChange.Park park(LedgerMessage message, ParkedState state) {
    return ParkedRows.park(message, "", state, state == ParkedState.RETRYING ? SHORT : null);
  }

  @Test
  final void erasedMessageIsToldWithoutWhatItSaid() {
    Message secret = message("a").copy().header("name", "Erika").build();
    committed(secret);
    committed("b");
    Owner owner = owner();
    fixture().erase(secret.id());
    List<LedgerMessage> all = messagesOf(owner);
    assertThat(all).extracting(LedgerMessage::erased).containsExactly(true, false);
    Message left = all.get(0).message();
    assertThat(left.payload()).isEmpty();
    assertThat(left.headers()).isEmpty();
    assertThat(left.id()).isEqualTo(secret.id());
    assertThat(left.key()).isEqualTo("a");
    assertThat(left.type()).isEqualTo(secret.type());
  }

  @Test
  final void erasedMessageThatCouldNotBeReadIsOneThatIsErased() {
    Message secret = message("a");
    fixture().makeUnreadable(committed(secret));
    Owner owner = owner();
    fixture().erase(secret.id());
    assertThat(messagesOf(owner))
        .singleElement()
        .returns(true, LedgerMessage::erased)
        .returns(null, LedgerMessage::unreadable);
  }

  @Test
  final void whatIsParkedOfItIsLeftForItsOwnerToDiscard() {
    committed("a", "a", "b");
    Owner owner = owner();
    List<LedgerMessage> all = messagesOf(owner);
    settle(owner, 1, 2, 3);
    owner.save(park(all.get(0), ParkedState.DEAD), park(all.get(1), ParkedState.HELD));
    owner.save(park(all.get(2), ParkedState.DEAD));
    fixture().erase(all.get(1).message().id());
    assertThat(owner.store().discards(ParkedPlace.FIRST, LIMIT))
        .singleElement()
        .returns(2L, ParkedMessage::position)
        .returns(true, ParkedMessage::withdrawn)
        .satisfies(row -> assertThat(row.message().payload()).isEmpty());
    assertThat(owner.due()).isEmpty();
  }

  @Test
  final void whatIsWithdrawnStaysSoWhereItIsParkedAgain() {
    committed("a");
    Owner owner = owner();
    LedgerMessage inMemory = messagesOf(owner).get(0);
    settle(owner, 1);
    owner.save(park(inMemory, ParkedState.RETRYING));
    fixture().erase(inMemory.message().id());
    owner.save(park(inMemory, ParkedState.RETRYING));
    fixture().letPass(LONGER_THAN_SHORT);
    assertThat(owner.due()).isEmpty();
    assertThat(owner.store().discards(ParkedPlace.FIRST, LIMIT))
        .singleElement()
        .satisfies(row -> assertThat(row.message().payload()).isEmpty());
  }

  @Test
  final void replayedMessagesAreDueOnceMoreInTheirOrderAndBlockNoKey() {
    committed("a", "a", "b", "c");
    settle(owner(), 1, 2, 3, 4);
    fixture().replay(SUBSCRIPTION, "", 1, 3);
    Owner next = owner();
    List<ParkedMessage> due = next.due();
    assertThat(due).extracting(ParkedMessage::position).containsExactly(1L, 2L, 3L);
    assertThat(due).extracting(ParkedMessage::route).containsOnly("");
    assertThat(due).extracting(ParkedMessage::blocks).containsOnly(false);
    assertThat(due).extracting(ParkedMessage::replayed).containsOnly(true);
    assertThat(due).extracting(ParkedMessage::attempts).containsOnly(0);
    assertThat(due).extracting(row -> row.message().key()).containsExactly("a", "a", "b");
    ParkedMessage first = due.get(0);
    next.save(new ParkedChange.Remove(1, "", first.message().id()));
    assertThat(next.due()).extracting(ParkedMessage::position).containsExactly(2L, 3L);
  }

  @Test
  final void replayLeavesOutWhatIsOpenErasedOrParked() {
    committed("a", "b", "c", "d");
    Owner owner = owner();
    List<LedgerMessage> all = messagesOf(owner);
    settle(owner, 1, 2, 3);
    owner.save(park(all.get(1), ParkedState.DEAD));
    fixture().erase(all.get(2).message().id());
    fixture().replay(SUBSCRIPTION, "", 1, 4);
    assertThat(owner.due()).extracting(ParkedMessage::position).containsExactly(1L);
  }
}
