// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static io.outledger.contracts.ParkedRows.fail;
import static io.outledger.contracts.ParkedRows.park;
import static io.outledger.contracts.ParkedRows.positionsOf;
import static io.outledger.contracts.ParkedRows.remove;
import static io.outledger.store.ParkedState.DEAD;
import static io.outledger.store.ParkedState.RETRYING;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.Start;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A ledger was emptied and gives its positions out again, while messages of the earlier ledger are
 * still parked. Neither may be taken for the other: no message may be lost by that.
 */
abstract class ReusedPositionContractTests extends StoreContractTests {

  private static final Duration NOW = Duration.ZERO;

  /** Appends messages of the ledger; what the tests park at their positions are others. */
  private Owner ownerOf(int messages) {
    for (int i = 0; i < messages; i++) {
      committed(message("new"));
    }
    Owner owner = owner();
    owner.save(new Frontier(messages, Positions.NONE));
    return owner;
  }

  private static LedgerMessage read(Owner owner, long position) {
    return owner.store().poll(above(position - 1)).messages().get(0);
  }

  @Test
  void earlierMessageDoesNotHideTheOneThatHasItsPosition() {
    Owner owner = ownerOf(3);
    owner.save(
        park(1, "a", DEAD, null),
        park(2, "mail", "a", RETRYING, LONG),
        park(7, "a", DEAD, null),
        park(read(owner, 3), "mail", RETRYING, LONG));
    owner.save(new Frontier(3, Positions.of(2, 3)));
    assertThat(owner().grant().parked()).containsExactly(new ParkedPlace("mail", 3));
  }

  @Test
  void earlierMessageStaysParkedWhereTheOneThatHasItsPositionIsReadAgain() {
    Owner owner = ownerOf(2);
    owner.save(park(1, "a", RETRYING, NOW), park(read(owner, 2), "", RETRYING, NOW));
    fixture().move(SUBSCRIPTION, Start.EARLIEST);
    Owner next = owner();
    assertThat(next.grant().parked()).isEmpty();
    assertThat(next.due())
        .singleElement()
        .satisfies(row -> assertThat(row.message().id()).isEqualTo(idAt(1)));
  }

  /** Tried again, it must not be taken for the new ledger's message at its position. */
  @Test
  void whatIsParkedOfAnEmptiedLedgerGetsPositionsOfItsOwn() {
    Owner owner = ownerOf(2);
    owner.save(park(1, "a", RETRYING, NOW), park(2, "b", RETRYING, NOW));
    fixture().emptyLedger();
    fixture().move(SUBSCRIPTION, Start.EARLIEST);
    assertThat(positionsOf(owner().due())).containsExactly(-2L, -1L);
  }

  @Test
  void messageThatIsParkedOverAnEarlierOneIsReadAsItIs() {
    Message message =
        Message.to("new", "order.cancelled")
            .key("new")
            .version(7)
            .payload(new byte[] {1, 2})
            .header("a", "b")
            .build();
    ParkedMessage parked = new ParkedMessage(12, "", message, RETRYING, 3, true, null);
    Owner owner = owner();
    owner.save(park(12, "old", DEAD, null));
    fixture().requestDiscard(SUBSCRIPTION, 12, "");
    owner.save(new ParkedChange.Park(parked, "no", NOW));
    assertThat(owner.due())
        .singleElement()
        .satisfies(row -> assertThat(row).usingRecursiveComparison().isEqualTo(parked));
    assertThat(owner.store().discards(ParkedPlace.FIRST, 9)).isEmpty();
    assertThat(owner().grant().blocked()).singleElement().returns("new", key -> key.key());
  }

  @Test
  void unreadableMessageThatIsParkedOverAnEarlierOneIsItself() {
    Message bad = message("new");
    fixture().makeUnreadable(committed(bad));
    Owner owner = owner();
    LedgerMessage read = read(owner, 1);
    ParkedMessage row =
        new ParkedMessage(1, "", read.message(), RETRYING, 0, true, read.unreadable());
    owner.save(park(1, "old", DEAD, null));
    owner.save(new ParkedChange.Park(row, read.unreadable(), NOW));
    assertThat(owner.due())
        .singleElement()
        .satisfies(
            due -> {
              assertThat(due.message().id()).isEqualTo(bad.id());
              assertThat(due.unreadable()).isNotNull();
            });
  }

  /** It may have been on its way when the other one was parked. */
  @Test
  void whatBecomesOfAnEarlierMessageChangesNothingOfTheOneThatIsParkedOverIt() {
    Message message = message("new");
    Owner owner = owner();
    owner.save(park(5, "old", RETRYING, NOW));
    owner.save(park(new LedgerMessage(5, message), "", RETRYING, NOW));
    owner.save(fail(5, 4, LONG));
    owner.save(remove(5, ""));
    assertThat(positionsOf(owner.due())).containsExactly(5L);
    assertThat(owner.due())
        .singleElement()
        .returns(1, ParkedMessage::attempts)
        .satisfies(row -> assertThat(row.message().id()).isEqualTo(message.id()));
    owner.save(new ParkedChange.Remove(5, "", message.id()));
    assertThat(owner.due()).isEmpty();
  }
}
