// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static io.outledger.contracts.ParkedRows.fail;
import static io.outledger.contracts.ParkedRows.park;
import static io.outledger.contracts.ParkedRows.place;
import static io.outledger.contracts.ParkedRows.remove;
import static io.outledger.store.ParkedState.DEAD;
import static io.outledger.store.ParkedState.HELD;
import static io.outledger.store.ParkedState.RETRYING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
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
    assertThat(owner().grant().parked())
        .containsExactly(new ParkedPlace("mail", 3, read(owner, 3).message().id()));
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

  /** Of a key, what is of an earlier ledger comes before what is of a later one. */
  @Test
  void heldMessagesAreThoseOfTheEarliestLedger() {
    Owner owner = ownerOf(3);
    LedgerMessage second = read(owner, 2);
    LedgerMessage third = read(owner, 3);
    owner.save(park(third, "", HELD, null), park(second, "", HELD, null));
    fixture().emptyLedger();
    LedgerMessage next = afterMove();
    Owner after = owner();
    after.saveKnowing(new Frontier(1, Positions.NONE), new KnownMessage(1, next.message().id()));
    after.save(park(next, "", HELD, null));
    fixture().emptyLedger();
    LedgerMessage last = afterMove();
    Owner again = owner();
    again.save(park(last, "", HELD, null));
    int emptied = 2;
    for (List<LedgerMessage> ledger :
        List.of(List.of(second, third), List.of(next), List.of(last))) {
      assertThat(again.store().held("", "new", 9))
          .extracting(ParkedMessage::emptied)
          .containsOnly(emptied--);
      assertThat(ids(again.store().held("", "new", 9))).isEqualTo(idsOf(ledger));
      assertThat(ids(again.store().held("", "new", 1))).isEqualTo(idsOf(ledger.subList(0, 1)));
      ledger.forEach(
          each -> again.save(new ParkedChange.Remove(each.position(), "", each.message().id())));
    }
    assertThat(again.store().held("", "new", 9)).isEmpty();
  }

  /** Appends a message to the emptied ledger and moves the subscription to it. */
  private LedgerMessage afterMove() {
    Message message = message("new");
    long position = committed(message);
    fixture().move(SUBSCRIPTION, Start.EARLIEST);
    return new LedgerMessage(position, message);
  }

  private static List<UUID> ids(List<ParkedMessage> rows) {
    return rows.stream().map(row -> row.message().id()).toList();
  }

  private static List<UUID> idsOf(List<LedgerMessage> messages) {
    return messages.stream().map(each -> each.message().id()).toList();
  }

  @Test
  void messageThatIsParkedBesideAnEarlierOneChangesNothingOfIt() {
    LedgerMessage fresh = new LedgerMessage(12, message("new"));
    Owner owner = owner();
    owner.save(park(12, "old", DEAD, null));
    fixture().requestDiscard(SUBSCRIPTION, 12, "");
    owner.save(park(fresh, "", RETRYING, NOW));
    assertThat(ids(owner.due())).containsExactly(fresh.message().id());
    assertThat(ids(owner.store().discards(ParkedPlace.FIRST, 9))).containsExactly(idAt(12));
    assertThat(owner().grant().blocked()).extracting(key -> key.key()).contains("new", "old");
  }

  @Test
  void unreadableMessageThatIsParkedBesideAnEarlierOneIsItself() {
    Message bad = message("new");
    fixture().makeUnreadable(committed(bad));
    Owner owner = owner();
    LedgerMessage read = read(owner, 1);
    ParkedMessage row =
        new ParkedMessage(
            1, "", read.message(), RETRYING, 0, true, read.unreadable(), false, 0, null);
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

  @Test
  void whatBecomesOfAnEarlierMessageChangesNothingOfTheOneThatIsParkedBesideIt() {
    LedgerMessage fresh = new LedgerMessage(5, message("new"));
    UUID id = fresh.message().id();
    Owner owner = owner();
    owner.save(park(5, "old", RETRYING, NOW), park(fresh, "", RETRYING, NOW));
    owner.save(fail(5, 4, NOW));
    assertThat(owner.due())
        .extracting(row -> row.message().id(), ParkedMessage::attempts)
        .containsExactlyInAnyOrder(tuple(idAt(5), 4), tuple(id, 1));
    assertThat(ids(owner.store().due(ROUTES, Set.of(place("", 5)), 9))).containsExactly(id);
    owner.save(remove(5, ""));
    assertThat(ids(owner.due())).containsExactly(id);
    owner.save(new ParkedChange.Remove(5, "", id));
    assertThat(owner.due()).isEmpty();
  }
}
