// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.frontier.Positions;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What relays see of a subscription that an operator deletes. */
abstract class DeletedContractTests extends StoreContractTests {

  private static void assertCode(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ConfigurationException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /** Returns the first message that an owner reads, after it has settled all that there is. */
  private static LedgerMessage settleAll(Owner owner) {
    Page page = owner.store().poll(above(0));
    long[] all = positions(page).stream().mapToLong(Long::longValue).toArray();
    owner.save(owner.frontier().readTo(page.readTo()).settle(Positions.of(all)));
    return page.messages().get(0);
  }

  @Test
  final void ownedOneIsNotDeletedAndNobodyIsThereWhereNoneWasMade() {
    assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> fixture().delete(SUBSCRIPTION));
    committed("a");
    Owner owner = owner();
    assertCode(ErrorCode.SUBSCRIPTION_RUNNING, () -> fixture().delete(SUBSCRIPTION));
    settleAll(owner);
    owner.release();
    fixture().delete(SUBSCRIPTION);
    assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> fixture().delete(SUBSCRIPTION));
  }

  @Test
  final void relayThatStandsByIsToldAndMakesNoOther() {
    committed("a");
    RelayStore standby = store();
    standby.look();
    fixture().delete(SUBSCRIPTION);
    assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, standby::look);
    assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> fixture().delete(SUBSCRIPTION));
  }

  @Test
  final void formerOwnerSavesNothingAnyMore() {
    committed("a");
    Owner former = owner();
    settleAll(former);
    former.release();
    fixture().delete(SUBSCRIPTION);
    assertThat(former.trySave(former.frontier())).isInstanceOf(SaveOutcome.Fenced.class);
    Owner next = owner();
    assertThat(former.trySave(former.frontier())).isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(positions(next.store().poll(above(0)))).containsExactly(1L);
  }

  @Test
  final void oneThatIsMadeAgainKnowsNothingOfTheFormer() {
    committed("a", "b");
    Owner former = owner();
    Declaration mail = Declaration.everything("mail");
    former.store().declare(new Declaring(Set.of(mail), Set.of()));
    LedgerMessage first = settleAll(former);
    former.save(ParkedRows.park(first, "", ParkedState.DEAD, null));
    fixture().pause(SUBSCRIPTION, PauseScope.topic("orders"), "anna", "the vendor is down");
    former.release();
    fixture().delete(SUBSCRIPTION);
    committed("c");
    Owner next = Owner.of(fixture().open(SUBSCRIPTION, Start.EARLIEST), LONG);
    assertThat(next.frontier().high()).isZero();
    assertThat(next.grant().blocked()).isEmpty();
    assertThat(next.grant().parked()).isEmpty();
    assertThat(next.store().pauses().current()).isEmpty();
    assertThat(next.store().declarations().current()).isEmpty();
    assertThat(positions(next.store().poll(above(0)))).containsExactly(1L, 2L, 3L);
  }
}
