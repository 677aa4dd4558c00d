// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import io.outledger.store.Pauses;
import io.outledger.store.RelayStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is paused: a state that a page shows with its messages, and that survives its owners. */
abstract class PauseContractTests extends StoreContractTests {

  private static final PauseScope ORDERS = PauseScope.topic("orders");
  private static final ParkedPlace FIRST = ParkedPlace.firstOf("");
  private static final PauseScope KEY_A = PauseScope.key("a");

  @Test
  final void nothingIsPausedAtFirst() {
    Owner owner = owner();
    assertThat(owner.store().pauses()).isEqualTo(Pauses.NONE);
    assertThat(owner.store().poll(above(0)).paused()).isZero();
  }

  @Test
  final void eachChangeIsShownByTheNextPageAndStays() {
    RelayStore store = owner().store();
    long last = 0;
    for (PauseScope scope :
        new PauseScope[] {PauseScope.subscription(), PauseScope.route("mail"), ORDERS, KEY_A}) {
      fixture().pause(SUBSCRIPTION, scope, "anna", "vendor down");
      long shown = store.poll(above(0)).paused();
      assertThat(shown).isGreaterThan(last);
      assertThat(store.pauses().revision()).isEqualTo(shown);
      Paused paused = store.pauses().current().get(scope);
      assertThat(paused).isNotNull().returns("anna", Paused::by);
      assertThat(paused.reason()).isEqualTo("vendor down");
      last = shown;
    }
    assertThat(store().pauses().current()).hasSize(4);
    fixture().resume(SUBSCRIPTION, ORDERS);
    assertThat(store.poll(above(0)).paused()).isGreaterThan(last);
    assertThat(store.pauses().current()).hasSize(3).doesNotContainKey(ORDERS);
  }

  @Test
  final void firstPauseStaysWhereTheSameIsPausedAgain() {
    RelayStore store = owner().store();
    fixture().pause(SUBSCRIPTION, KEY_A, "anna", "vendor down");
    fixture().pause(SUBSCRIPTION, KEY_A, "bert", "me too");
    assertThat(store.pauses().current().get(KEY_A)).returns("anna", Paused::by);
  }

  @Test
  final void endOfTheLastPauseIsShown() {
    RelayStore store = owner().store();
    fixture().pause(SUBSCRIPTION, KEY_A, "anna", "vendor down");
    long paused = store.poll(above(0)).paused();
    fixture().resume(SUBSCRIPTION, KEY_A);
    assertThat(store.poll(above(0)).paused()).isGreaterThan(paused);
    assertThat(store.pauses().current()).isEmpty();
    fixture().resume(SUBSCRIPTION, KEY_A);
    assertThat(store.pauses().current()).isEmpty();
  }

  @Test
  final void messageOfAPausedKeyIsNotDueUntilThatIsResumed() {
    Owner owner = owner();
    fixture().pause(SUBSCRIPTION, KEY_A, "anna", "vendor down");
    owner.save(untilResumed(1, "a"), untilResumed(2, "b"));
    assertThat(owner.due()).isEmpty();
    assertThat(resumed(owner, FIRST, 10)).containsExactly(2L);
    fixture().resume(SUBSCRIPTION, KEY_A);
    assertThat(resumed(owner, FIRST, 10)).containsExactly(1L, 2L);
    assertThat(owner.due()).isEmpty();
  }

  @Test
  final void messageOfAPausedTopicIsNotDueUntilThatIsResumed() {
    Owner owner = owner();
    fixture().pause(SUBSCRIPTION, ORDERS, "anna", "vendor down");
    owner.save(untilResumed(1, "a"), untilResumed(2, "b"), untilResumed(3, "c"));
    assertThat(resumed(owner, FIRST, 10)).isEmpty();
    fixture().resume(SUBSCRIPTION, ORDERS);
    List<ParkedMessage> first = owner.store().untilResumed(FIRST, owner.store().pauses(), 2);
    assertThat(ParkedRows.positionsOf(first)).containsExactly(1L, 2L);
    assertThat(resumed(owner, ParkedPlace.of(first.get(1)), 2)).containsExactly(3L);
  }

  @Test
  final void whatWaitsUntilResumedIsOfItsRouteHasNoTimeAndIsWhole() {
    Owner owner = owner();
    ParkedChange.Park waits = ParkedRows.park(4, "mail", "a", ParkedState.RETRYING, null);
    owner.save(
        untilResumed(1, "a"),
        ParkedRows.park(2, "mail", "b", ParkedState.RETRYING, Duration.ZERO),
        ParkedRows.park(3, "mail", "c", ParkedState.DEAD, null),
        waits,
        ParkedRows.park(5, "mail", "a", ParkedState.HELD, null));
    assertThat(owner.store().untilResumed(ParkedPlace.firstOf("mail"), Pauses.NONE, 10))
        .singleElement()
        .usingRecursiveComparison()
        .isEqualTo(waits.message());
  }

  private static List<Long> resumed(Owner owner, ParkedPlace after, int limit) {
    RelayStore store = owner.store();
    return ParkedRows.positionsOf(store.untilResumed(after, store.pauses(), limit));
  }

  @Test
  final void operatorMayRetryWhatWaitsForAResume() {
    Owner owner = owner();
    owner.save(untilResumed(1, "a"));
    fixture().requestRetry(SUBSCRIPTION, 1, "");
    assertThat(owner.due()).hasSize(1);
  }

  private static ParkedChange.Park untilResumed(long position, String key) {
    return ParkedRows.park(position, key, ParkedState.RETRYING, null);
  }
}
