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

import io.outledger.Message;
import io.outledger.store.LeaseGrant.BlockedKey;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a message is set aside, tried again at its time, and gone at last. */
abstract class ParkContractTests extends StoreContractTests {

  private static final Duration NOW = Duration.ZERO;
  private static final int LIMIT = 100;

  @Test
  void parkedMessageIsReadAsItWasParked() {
    Message message =
        Message.to("orders", "order.placed")
            .key("schlüssel 🔑")
            .version(7)
            .payload(new byte[] {0, -1, 10})
            .header("a", "b=c&d")
            .build();
    ParkedMessage parked =
        new ParkedMessage(12, "mail", message, RETRYING, 3, false, null, false, 0, null);
    Owner owner = owner();
    owner.save(new ParkedChange.Park(parked, "no \u2603", NOW));
    assertThat(owner.due())
        .usingRecursiveComparison()
        .ignoringFields("parkedAt")
        .isEqualTo(List.of(parked));
  }

  @Test
  void messageWithoutKeyIsParkedAsWell() {
    ParkedMessage parked =
        new ParkedMessage(12, "", messageOfBytes(0), RETRYING, 1, false, null, false, 0, null);
    Owner owner = owner();
    owner.save(new ParkedChange.Park(parked, "no", NOW));
    assertThat(owner.due())
        .usingRecursiveComparison()
        .ignoringFields("parkedAt")
        .isEqualTo(List.of(parked));
  }

  @Test
  void parkedMessageIsDueOnlyWhenItsTimeHasCome() {
    Owner owner = owner();
    owner.save(park(1, "a", RETRYING, SHORT), park(2, "b", RETRYING, LONG));
    assertThat(positionsOf(owner.due())).doesNotContain(2L);
    fixture().letPass(SHORT.multipliedBy(2));
    assertThat(positionsOf(owner.due())).containsExactly(1L);
  }

  @Test
  void dueMessagesComeInOrderOfPosition() {
    Owner owner = owner();
    owner.save(park(9, "c", RETRYING, NOW), park(2, "a", RETRYING, NOW));
    owner.save(park(5, "b", RETRYING, NOW));
    assertThat(positionsOf(owner.due())).containsExactly(2L, 5L, 9L);
    assertThat(positionsOf(owner.store().due(ROUTES, Set.of(), 2))).hasSize(2).isSorted();
    Set<ParkedPlace> tried = Set.of(ParkedRows.place("", 2), ParkedRows.place("", 5));
    assertThat(positionsOf(owner.store().due(ROUTES, tried, LIMIT))).containsExactly(9L);
  }

  @Test
  void heldAndDeadMessagesAreNotDue() {
    Owner owner = owner();
    owner.save(park(1, "a", DEAD, null), park(2, "a", HELD, null));
    assertThat(owner.due()).isEmpty();
  }

  @Test
  void failedRetryCountsAndWaitsAgain() {
    Owner owner = owner();
    owner.save(park(1, "a", RETRYING, NOW));
    owner.save(fail(1, 2, LONG));
    assertThat(owner.due()).isEmpty();
    owner.save(fail(1, 3, NOW));
    assertThat(owner.due()).singleElement().returns(3, ParkedMessage::attempts);
  }

  @Test
  void whatWasAskedForComesBeforeWhatIsMerelyDue() {
    Owner owner = owner();
    owner.save(park(1, "a", RETRYING, NOW), park(2, "b", RETRYING, NOW));
    owner.save(park(7, "c", RETRYING, Duration.ofHours(1)));
    fixture().requestRetry(SUBSCRIPTION, 7, "");
    assertThat(positionsOf(owner.store().due(ROUTES, Set.of(), 1))).containsExactly(7L);
    Set<ParkedPlace> tried = Set.of(ParkedRows.place("", 7));
    assertThat(positionsOf(owner.store().due(ROUTES, tried, 2))).containsExactly(1L, 2L);
  }

  @Test
  void heldMessageThatFailsIsRetried() {
    Owner owner = owner();
    owner.save(park(1, "a", HELD, null));
    owner.save(fail(1, 1, NOW));
    assertThat(owner.due())
        .singleElement()
        .returns(RETRYING, ParkedMessage::state)
        .returns(1, ParkedMessage::attempts);
  }

  @Test
  void deadLetterIsNeverDueByItself() {
    Owner owner = owner();
    owner.save(park(1, "a", RETRYING, NOW));
    owner.save(fail(1, 2, null));
    fixture().letPass(SHORT);
    assertThat(owner.due()).isEmpty();
  }

  @Test
  void removedMessageIsGone() {
    Owner owner = owner();
    owner.save(park(1, "a", RETRYING, NOW), park(2, "b", RETRYING, NOW));
    owner.save(remove(1, ""));
    assertThat(positionsOf(owner.due())).containsExactly(2L);
  }

  @Test
  void changesOfOneSaveAreMadeInOrder() {
    Owner owner = owner();
    owner.save(park(1, "a", RETRYING, NOW), park(2, "a", HELD, null));
    owner.save(remove(1, ""), remove(2, ""), park(3, "a", RETRYING, LONG), fail(3, 2, NOW));
    assertThat(owner.due())
        .singleElement()
        .returns(3L, ParkedMessage::position)
        .returns(2, ParkedMessage::attempts);
  }

  @Test
  void routesOfOnePositionAreApart() {
    Owner owner = owner();
    owner.save(park(1, "mail", "a", RETRYING, NOW), park(1, "stock", "a", RETRYING, LONG));
    assertThat(owner.due()).singleElement().returns("mail", ParkedMessage::route);
    owner.save(remove(1, "mail"));
    assertThat(owner.due()).isEmpty();
    assertThat(owner().grant().blocked()).singleElement().returns("stock", key -> key.route());
  }

  @Test
  void messageThatIsParkedAgainHasOneRowAndNoOldRequest() {
    Owner owner = owner();
    owner.save(park(1, "a", DEAD, null));
    fixture().requestRetry(SUBSCRIPTION, 1, "");
    owner.save(park(1, "a", RETRYING, LONG));
    assertThat(owner.due()).isEmpty();
    assertThat(owner().grant().blocked()).containsExactly(new BlockedKey("", "a", 1, 1));
  }

  @Test
  void subscriptionsParkApart() {
    owner().save(park(1, "a", RETRYING, NOW));
    Owner other = Owner.of(fixture().open("other", Start.EARLIEST), LONG);
    assertThat(other.due()).isEmpty();
    assertThat(other.grant().blocked()).isEmpty();
  }

  @Test
  void operatorsRetryMakesADeadLetterDueUntilItsNextFailure() {
    Owner owner = owner();
    owner.save(park(1, "a", DEAD, null));
    fixture().requestRetry(SUBSCRIPTION, 1, "");
    assertThat(positionsOf(owner.due())).containsExactly(1L);
    owner.save(fail(1, 2, null));
    assertThat(owner.due()).isEmpty();
  }

  @Test
  void operatorsRetryDoesNotWaitForTheTime() {
    Owner owner = owner();
    owner.save(park(1, "a", RETRYING, LONG));
    fixture().requestRetry(SUBSCRIPTION, 1, "");
    assertThat(positionsOf(owner.due())).containsExactly(1L);
  }

  @Test
  void operatorsDiscardIsToldToTheOwnerWhoRemovesIt() {
    Owner owner = owner();
    owner.save(park(1, "a", DEAD, null), park(2, "b", DEAD, null));
    assertThat(owner.store().discards(ParkedPlace.FIRST, LIMIT)).isEmpty();
    fixture().requestDiscard(SUBSCRIPTION, 2, "");
    assertThat(positionsOf(owner.store().discards(ParkedPlace.FIRST, LIMIT))).containsExactly(2L);
    assertThat(owner.due()).isEmpty();
    owner.save(new ParkedChange.Remove(2, "", idAt(2), true));
    assertThat(owner.store().discards(ParkedPlace.FIRST, LIMIT)).isEmpty();
  }

  @Test
  void discardOfARetryingMessageIsToldToTheOwnerToo() {
    Owner owner = owner();
    owner.save(park(1, "a", RETRYING, LONG));
    fixture().requestDiscard(SUBSCRIPTION, 1, "");
    assertThat(positionsOf(owner.store().discards(ParkedPlace.FIRST, LIMIT))).containsExactly(1L);
  }

  @Test
  void discardThatIsAskedForWhileARetryIsInFlightIsDoneAfterItsFailure() {
    Owner owner = owner();
    owner.save(park(1, "a", DEAD, null));
    fixture().requestRetry(SUBSCRIPTION, 1, "");
    assertThat(positionsOf(owner.due())).containsExactly(1L);
    fixture().requestDiscard(SUBSCRIPTION, 1, "");
    owner.save(fail(1, 2, null));
    assertThat(positionsOf(owner.store().discards(ParkedPlace.FIRST, LIMIT))).containsExactly(1L);
    assertThat(owner.due()).isEmpty();
  }
}
