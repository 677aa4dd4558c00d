// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.ParkedStatus;
import io.outledger.jdbc.spi.ParkedStore;
import io.outledger.jdbc.spi.ParkedStore.Requested;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class RequestContractTests extends DatabaseContractTests {

  private Owner owner;
  private List<Long> positions = List.of();

  @BeforeEach
  final void own() {
    owner = owner();
  }

  @Test
  final void parkedMessagesAreListedByStateAndPage() {
    park(ParkedState.DEAD, ParkedState.RETRYING, ParkedState.DEAD, ParkedState.DEAD);
    assertThat(
            positions(
                parked()
                    .list(
                        SUBSCRIPTION, ParkedSelection.of(ParkedState.DEAD), ParkedPlace.FIRST, 2)))
        .containsExactly(positions.get(0), positions.get(2));
    assertThat(
            positions(
                parked()
                    .list(
                        SUBSCRIPTION,
                        ParkedSelection.of(ParkedState.DEAD),
                        ParkedRows.place("", positions.get(2)),
                        2)))
        .containsExactly(positions.get(3));
    assertThat(
            parked()
                .list(SUBSCRIPTION, ParkedSelection.of(ParkedState.HELD), ParkedPlace.FIRST, 10))
        .isEmpty();
    assertThat(parked().list("other", ParkedSelection.of(ParkedState.DEAD), ParkedPlace.FIRST, 10))
        .isEmpty();
    ParkedStatus retrying =
        parked()
            .list(SUBSCRIPTION, ParkedSelection.of(ParkedState.RETRYING), ParkedPlace.FIRST, 10)
            .get(0);
    assertThat(retrying.error()).isEqualTo("the broker said no");
    assertThat(retrying.requested()).isNull();
    assertThat(retrying.nextAttemptAt()).isAfter(retrying.parkedAt());
    assertThat(retrying.parked().message().key()).isEqualTo("key-1");
    assertThat(retrying.parked().attempts()).isEqualTo(1);
  }

  @Test
  final void pageMayEndBetweenTheRoutesOfAPosition() {
    owner.save(
        ParkedRows.park(1, "mail", "a", ParkedState.DEAD, null),
        ParkedRows.park(1, "stock", "a", ParkedState.DEAD, null),
        ParkedRows.park(2, "mail", "b", ParkedState.DEAD, null));
    List<ParkedPlace> listed = new ArrayList<>();
    ParkedPlace last = ParkedPlace.FIRST;
    List<ParkedStatus> page = parked().list(SUBSCRIPTION, ParkedSelection.ALL, last, 1);
    while (!page.isEmpty()) {
      last = page.get(0).place();
      listed.add(last);
      page = parked().list(SUBSCRIPTION, ParkedSelection.ALL, last, 1);
    }
    assertThat(listed)
        .containsExactly(
            ParkedRows.place("mail", 1), ParkedRows.place("stock", 1), ParkedRows.place("mail", 2));
  }

  @Test
  final void retryIsNotedForWhatIsDeadOrRetrying() {
    park(ParkedState.DEAD, ParkedState.RETRYING, ParkedState.HELD);
    assertThat(request(ParkedRequest.RETRY, 0)).isTrue();
    assertThat(request(ParkedRequest.RETRY, 1)).isTrue();
    assertThat(request(ParkedRequest.RETRY, 2)).isFalse();
    assertThat(
            parked()
                .list(SUBSCRIPTION, ParkedSelection.of(ParkedState.DEAD), ParkedPlace.FIRST, 10))
        .extracting(ParkedStatus::requested)
        .containsExactly(ParkedRequest.RETRY);
    assertThat(owner.due())
        .extracting(ParkedMessage::position)
        .containsExactlyInAnyOrder(positions.get(0), positions.get(1));
  }

  @Test
  final void discardIsNotedForWhatIsDeadOrRetrying() {
    park(ParkedState.DEAD, ParkedState.RETRYING, ParkedState.HELD);
    assertThat(request(ParkedRequest.DISCARD, 0)).isTrue();
    assertThat(request(ParkedRequest.DISCARD, 1)).isTrue();
    assertThat(request(ParkedRequest.DISCARD, 2)).isFalse();
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10))
        .extracting(ParkedMessage::position)
        .containsExactly(positions.get(0), positions.get(1));
  }

  @Test
  final void laterRequestReplacesAnEarlierOne() {
    park(ParkedState.DEAD);
    request(ParkedRequest.DISCARD, 0);
    assertThat(request(ParkedRequest.RETRY, 0)).isTrue();
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10)).isEmpty();
    assertThat(owner.due()).hasSize(1);
  }

  @Test
  final void nothingIsNotedForWhatIsNotThere() {
    park(ParkedState.DEAD);
    long position = positions.get(0);
    assertThat(
            parked().request(SUBSCRIPTION, ParkedRequest.RETRY, ParkedRows.place("mail", position)))
        .isFalse();
    assertThat(
            parked().request(SUBSCRIPTION, ParkedRequest.RETRY, ParkedRows.place("", position + 1)))
        .isFalse();
    assertThat(parked().request("other", ParkedRequest.DISCARD, ParkedRows.place("", position)))
        .isFalse();
  }

  @Test
  final void deadLettersAreAskedForStepByStep() {
    park(
        ParkedState.DEAD,
        ParkedState.DEAD,
        ParkedState.RETRYING,
        ParkedState.DEAD,
        ParkedState.HELD);
    ParkedSelection dead = ParkedSelection.of(ParkedState.DEAD);
    Requested first =
        parked().requestNext(SUBSCRIPTION, ParkedRequest.RETRY, dead, ParkedPlace.FIRST, 2);
    assertThat(first).isEqualTo(new Requested(2, 2, ParkedRows.place("", positions.get(1))));
    Requested second =
        parked().requestNext(SUBSCRIPTION, ParkedRequest.RETRY, dead, first.last(), 2);
    assertThat(second).isEqualTo(new Requested(1, 1, ParkedRows.place("", positions.get(3))));
    Requested third =
        parked().requestNext(SUBSCRIPTION, ParkedRequest.RETRY, dead, second.last(), 2);
    assertThat(third).isEqualTo(new Requested(0, 0, second.last()));
    assertThat(owner.due()).hasSize(3);
  }

  @Test
  final void selectionTellsWhichAreListedAndAskedFor() {
    park(ParkedState.DEAD, ParkedState.RETRYING, ParkedState.HELD, ParkedState.DEAD);
    ParkedSelection one = ParkedSelection.ALL.withKey("key-1").withErrorText("broker");
    assertThat(positions(parked().list(SUBSCRIPTION, one, ParkedPlace.FIRST, 10)))
        .containsExactly(positions.get(1));
    assertThat(parked().list(SUBSCRIPTION, one.withTopic("other"), ParkedPlace.FIRST, 10))
        .isEmpty();
    assertThat(parked().list(SUBSCRIPTION, one.withRoute("mail"), ParkedPlace.FIRST, 10)).isEmpty();
    assertThat(parked().list(SUBSCRIPTION, ParkedSelection.ALL, ParkedPlace.FIRST, 10)).hasSize(4);
    Requested requested =
        parked()
            .requestNext(
                SUBSCRIPTION, ParkedRequest.DISCARD, ParkedSelection.ALL, ParkedPlace.FIRST, 10);
    assertThat(requested.asked()).isEqualTo(3);
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10)).hasSize(3);
  }

  @Test
  final void knownNamesAndRoutesAreTold() {
    park(ParkedState.DEAD);
    assertThat(parked().subscriptions()).containsExactly(SUBSCRIPTION);
    assertThat(parked().placesAt(SUBSCRIPTION, positions.get(0)))
        .containsExactly(ParkedRows.place("", positions.get(0)));
    assertThat(parked().placesAt(SUBSCRIPTION, positions.get(0) + 1)).isEmpty();
    assertThat(parked().routes(SUBSCRIPTION)).containsExactly("");
    assertThat(parked().routes("other")).isEmpty();
  }

  @Test
  final void messagesOfOnePositionAreListedAndAskedForEachByItself() {
    LedgerMessage other = new LedgerMessage(3, StoreContractTests.message("other"));
    LedgerMessage third = new LedgerMessage(3, StoreContractTests.message("third"));
    owner.save(
        ParkedRows.park(3, "a", ParkedState.DEAD, null),
        ParkedRows.park(other, "", ParkedState.DEAD, null),
        ParkedRows.park(third, "", ParkedState.DEAD, null));
    List<ParkedPlace> listed = new ArrayList<>();
    ParkedPlace last = ParkedPlace.FIRST;
    List<ParkedStatus> page = parked().list(SUBSCRIPTION, ParkedSelection.ALL, last, 1);
    while (!page.isEmpty()) {
      last = page.get(0).place();
      listed.add(last);
      page = parked().list(SUBSCRIPTION, ParkedSelection.ALL, last, 1);
    }
    assertThat(listed).hasSize(3).doesNotHaveDuplicates().isSorted();
    assertThat(parked().placesAt(SUBSCRIPTION, 3)).isEqualTo(listed);
    ParkedPlace one = new ParkedPlace("", 3, other.message().id());
    assertThat(parked().request(SUBSCRIPTION, ParkedRequest.DISCARD, one)).isTrue();
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10))
        .singleElement()
        .satisfies(row -> assertThat(ParkedPlace.of(row)).isEqualTo(one));
    Requested step =
        parked()
            .requestNext(SUBSCRIPTION, ParkedRequest.RETRY, ParkedSelection.ALL, listed.get(0), 10);
    assertThat(step).isEqualTo(new Requested(2, 2, listed.get(2)));
    assertThat(owner.store().due(StoreContractTests.ROUTES, Set.of(listed.get(2)), 10))
        .singleElement()
        .satisfies(row -> assertThat(ParkedPlace.of(row)).isEqualTo(listed.get(1)));
  }

  /** Appends a message for each state and parks it in that. */
  private void park(ParkedState... states) {
    for (int i = 0; i < states.length; i++) {
      append("key-" + i);
    }
    positions = read(owner);
    settle(owner);
    for (int i = 0; i < states.length; i++) {
      owner.save(
          ParkedRows.park(
              positions.get(i),
              "key-" + i,
              states[i],
              states[i] == ParkedState.RETRYING ? LONG : null));
    }
  }

  private boolean request(ParkedRequest request, int index) {
    return parked().request(SUBSCRIPTION, request, ParkedRows.place("", positions.get(index)));
  }

  private ParkedStore parked() {
    return database().parked(dataSource());
  }

  private static List<Long> positions(List<ParkedStatus> rows) {
    return rows.stream().map(row -> row.parked().position()).toList();
  }
}
