// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.CursorRow;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A ledger whose positions are handed out again is another one, and nobody goes on in it. */
abstract class EmptiedLedgerContractTests extends StoreContractTests {

  @Test
  void ledgerThatKeptItsMessagesIsTheSame() {
    committed("a", "b", "c");
    Owner owner = ownerOfAll();
    assertThat(pollAfter(owner).server()).isEqualTo(owner.grant().server());
  }

  @Test
  void ledgerThatWasResetIsNamedAsAnother() {
    committed("a", "b", "c");
    Owner owner = ownerOfAll();
    fixture().emptyLedger();
    committed("d", "e", "f", "g");
    assertThat(pollAfter(owner).server()).isNotEqualTo(owner.grant().server());
  }

  @Test
  void ledgerWhoseNumbersAreBehindIsNamedAsAnother() {
    committed("a", "b", "c");
    Owner owner = ownerOfAll();
    fixture().emptyLedger();
    assertThat(pollAfter(owner).server()).isNotEqualTo(owner.grant().server());
  }

  @Test
  void ledgerThatWasResetIsTakenOverByNobody() {
    committed("a", "b", "c");
    ownerOfAll();
    fixture().emptyLedger();
    committed("d", "e", "f", "g");
    RelayStore successor = store();
    CursorRow seen = successor.look();
    refused(successor, seen);
    assertThat(store().look().n()).isEqualTo(seen.n());
  }

  @Test
  void storeOfBeforeGoesOnOnceItsSubscriptionIsMoved() {
    committed("a", "b", "c");
    RelayStore store = ownerOfAll().store();
    fixture().emptyLedger();
    List<Long> positions = committed("d", "e");
    refused(store, store.look());
    fixture().move(SUBSCRIPTION, Start.EARLIEST);
    Owner again = Owner.of(store, LONG);
    Page page = store.poll(above(0));
    assertThat(page.server()).isEqualTo(again.grant().server());
    assertThat(positions(page)).isEqualTo(positions);
    again.save(new Frontier(positions.get(1), Positions.NONE));
  }

  @Test
  void placeInTheNewLedgerIsKnownByItsOwnMessages() {
    committed("a", "b", "c");
    ownerOfAll();
    fixture().emptyLedger();
    List<Long> positions = committed("d", "e", "f", "g");
    fixture().skip(SUBSCRIPTION, Start.at(positions.get(3)));
    Owner owner = owner();
    assertThat(owner.grant().known()).isNotNull();
    PollRequest request =
        new PollRequest(
            owner.frontier().high(), 100, BYTES, owner.frontier().open(), owner.grant().known());
    Page page = owner.store().poll(request);
    assertThat(page.server()).isEqualTo(owner.grant().server());
    assertThat(positions(page)).containsExactly(positions.get(3));
  }

  /** One that has read all that is there, and settled it. */
  private Owner ownerOfAll() {
    Owner owner = owner();
    KnownMessage known = last(owner);
    owner.saveKnowing(new Frontier(known.position(), Positions.NONE), known);
    return owner;
  }

  private static KnownMessage last(Owner owner) {
    List<LedgerMessage> read = owner.store().poll(above(0)).messages();
    LedgerMessage last = read.get(read.size() - 1);
    return new KnownMessage(last.position(), last.message().id());
  }

  /** Polls as an owner of three messages would. */
  private static Page pollAfter(Owner owner) {
    long high = owner.frontier().high();
    return owner.store().poll(new PollRequest(high, 100, BYTES, Positions.NONE, owner.known()));
  }

  private static void refused(RelayStore store, CursorRow seen) {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> store.takeOver(seen, UUID.randomUUID(), LONG, () -> {}))
        .matches(e -> e.code() == ErrorCode.LEDGER_BEHIND_CURSOR);
  }
}
