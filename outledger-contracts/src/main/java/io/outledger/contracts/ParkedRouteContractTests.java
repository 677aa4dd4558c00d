// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static io.outledger.contracts.ParkedRows.park;
import static io.outledger.contracts.ParkedRows.positionsOf;
import static io.outledger.store.ParkedState.DEAD;
import static io.outledger.store.ParkedState.HELD;
import static io.outledger.store.ParkedState.RETRYING;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How the parked rows of one route keep out of the way of another's, and of a relay without it. */
abstract class ParkedRouteContractTests extends StoreContractTests {

  private static final Duration NOW = Duration.ZERO;
  private static final Set<String> MAIL = Set.of("mail");
  private static final int LIMIT = 2;

  @Test
  void rowsOfARouteThatTheRelayDoesNotHaveAreNotInTheWayOfItsOwn() {
    Owner owner = owner();
    owner.save(
        park(1, "old", "a", RETRYING, NOW),
        park(2, "old", "b", RETRYING, NOW),
        park(3, "old", "c", DEAD, null),
        park(4, "mail", "a", RETRYING, NOW),
        park(5, "mail", "b", DEAD, null));
    fixture().requestRetry(SUBSCRIPTION, 3, "old");
    fixture().requestRetry(SUBSCRIPTION, 5, "mail");
    assertThat(positionsOf(owner.store().due(MAIL, Set.of(), LIMIT))).containsExactly(4L, 5L);
  }

  @Test
  void rowsOfTheRouteWithoutANameAreOfThatRouteAlone() {
    Owner owner = owner();
    owner.save(park(1, "", "a", RETRYING, NOW), park(2, "mail", "b", RETRYING, NOW));
    assertThat(positionsOf(owner.store().due(MAIL, Set.of(), LIMIT))).containsExactly(2L);
    assertThat(owner.store().parkedElsewhere(MAIL)).isEqualTo(Map.of("", 1L));
  }

  @Test
  void rowOfOneRouteIsDueWhileThatOfAnotherIsTried() {
    Owner owner = owner();
    owner.save(park(1, "mail", "a", RETRYING, NOW), park(1, "stock", "a", RETRYING, NOW));
    Set<ParkedPlace> tried = Set.of(ParkedRows.place("mail", 1));
    assertThat(owner.store().due(ROUTES, tried, LIMIT))
        .singleElement()
        .returns("stock", ParkedMessage::route);
  }

  @Test
  void discardsAreToldWhateverTheRoute() {
    Owner owner = owner();
    owner.save(park(1, "old", "a", DEAD, null), park(2, "mail", "b", DEAD, null));
    fixture().requestDiscard(SUBSCRIPTION, 1, "old");
    fixture().requestDiscard(SUBSCRIPTION, 2, "mail");
    assertThat(positionsOf(owner.store().discards(ParkedPlace.FIRST, LIMIT)))
        .containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void discardsAreReturnedPlaceByPlace() {
    Owner owner = owner();
    owner.save(
        park(1, "stock", "a", DEAD, null),
        park(2, "mail", "b", DEAD, null),
        park(3, "mail", "c", DEAD, null));
    fixture().requestDiscard(SUBSCRIPTION, 1, "stock");
    fixture().requestDiscard(SUBSCRIPTION, 2, "mail");
    fixture().requestDiscard(SUBSCRIPTION, 3, "mail");
    assertThat(positionsOf(owner.store().discards(ParkedPlace.FIRST, 2))).containsExactly(2L, 3L);
    assertThat(positionsOf(owner.store().discards(ParkedRows.place("mail", 2), LIMIT)))
        .containsExactly(1L, 3L);
    assertThat(positionsOf(owner.store().discards(ParkedRows.place("mail", 3), LIMIT)))
        .containsExactly(1L);
    assertThat(owner.store().discards(ParkedRows.place("stock", 1), LIMIT)).isEmpty();
  }

  @Test
  void whatIsParkedInRoutesThatTheRelayDoesNotHaveIsCounted() {
    Owner owner = owner();
    owner.save(
        park(1, "old", "a", RETRYING, LONG),
        park(2, "old", "a", HELD, null),
        park(3, "older", "a", DEAD, null),
        park(4, "mail", "a", RETRYING, LONG));
    assertThat(owner.store().parkedElsewhere(ROUTES)).isEqualTo(Map.of("old", 2L, "older", 1L));
    assertThat(owner.store().parkedElsewhere(Set.of("mail", "old", "older"))).isEmpty();
  }
}
