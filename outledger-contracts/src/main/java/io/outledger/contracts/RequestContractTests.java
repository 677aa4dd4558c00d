// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedPoint;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.ParkedNotes;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
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
  final void retryIsNotedForWhatIsDeadOrRetrying() {
    park(ParkedState.DEAD, ParkedState.RETRYING, ParkedState.HELD);
    assertThat(request(ParkedRequest.RETRY, 0)).isTrue();
    assertThat(request(ParkedRequest.RETRY, 1)).isTrue();
    assertThat(request(ParkedRequest.RETRY, 2)).isFalse();
    assertThat(parked())
        .extracting(Parked::requested)
        .containsExactly(ParkedRequest.RETRY, ParkedRequest.RETRY, null);
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
    assertCode(
        ErrorCode.UNKNOWN_SUBSCRIPTION,
        () -> parkedMessages().retry(ParkedRows.place("mail", position)));
    assertThat(parkedMessages().retry(ParkedRows.place("", position + 1))).isFalse();
    assertCode(
        ErrorCode.UNKNOWN_SUBSCRIPTION,
        () -> process().parkedMessages("other").discard(ParkedRows.place("", position)));
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
    List<ParkedPlace> first = noteNext(ParkedRequest.RETRY, dead, ParkedPlace.FIRST, 2);
    assertThat(first).containsExactly(place(0), place(1));
    List<ParkedPlace> second = noteNext(ParkedRequest.RETRY, dead, place(1), 2);
    assertThat(second).containsExactly(place(3));
    assertThat(noteNext(ParkedRequest.RETRY, dead, place(3), 2)).isEmpty();
    assertThat(owner.due()).hasSize(3);
  }

  @Test
  final void selectionTellsWhichAreAskedFor() {
    park(ParkedState.DEAD, ParkedState.RETRYING, ParkedState.HELD, ParkedState.DEAD);
    ParkedSelection one = ParkedSelection.ALL.withKey("key-1").withErrorText("broker");
    assertThat(noteNext(ParkedRequest.RETRY, one, ParkedPlace.FIRST, 10)).containsExactly(place(1));
    assertThat(noteNext(ParkedRequest.RETRY, one.withTopic("other"), ParkedPlace.FIRST, 10))
        .isEmpty();
    assertThat(noteNext(ParkedRequest.RETRY, one.withRoute("mail"), ParkedPlace.FIRST, 10))
        .isEmpty();
    assertThat(noteNext(ParkedRequest.DISCARD, ParkedSelection.ALL, ParkedPlace.FIRST, 10))
        .hasSize(3);
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10)).hasSize(3);
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
    ParkedQuery query = ParkedQuery.of(Reader.subscription(SUBSCRIPTION)).withLimit(1);
    Listing<Parked, ParkedPoint> page = process().admin().parked(query);
    while (!page.rows().isEmpty()) {
      listed.add(page.rows().get(0).place().ofSubscription());
      page = process().admin().parked(query.after(page.rows().get(0).place()));
    }
    assertThat(listed).hasSize(3).doesNotHaveDuplicates().isSorted();
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> parkedMessages().discard(3));
    ParkedPlace one = new ParkedPlace("", 3, other.message().id());
    assertThat(parkedMessages().discard(one)).isTrue();
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10))
        .singleElement()
        .satisfies(row -> assertThat(ParkedPlace.of(row)).isEqualTo(one));
    assertThat(noteNext(ParkedRequest.RETRY, ParkedSelection.ALL, listed.get(0), 10))
        .containsExactly(listed.get(1), listed.get(2));
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
    return request == ParkedRequest.RETRY
        ? parkedMessages().retry(place(index))
        : parkedMessages().discard(place(index));
  }

  private ParkedPlace place(int index) {
    return ParkedRows.place("", positions.get(index));
  }

  private ParkedMessages parkedMessages() {
    return process().parkedMessages(SUBSCRIPTION);
  }

  private List<ParkedPlace> noteNext(
      ParkedRequest what, ParkedSelection selection, ParkedPlace after, int limit) {
    List<ParkedPlace> noted = new ArrayList<>();
    inTransaction(
        transaction ->
            noted.addAll(
                database()
                    .parkedNotes(new CursorKey(SUBSCRIPTION, 0))
                    .noteNext(
                        transaction,
                        new ParkedNotes.Note(UUID.randomUUID(), what),
                        new ParkedNotes.Filter(selection, Instant.parse("9999-01-01T00:00:00Z")),
                        after,
                        limit)
                    .places()));
    return noted;
  }

  private List<Parked> parked() {
    return parkedOf(Reader.subscription(SUBSCRIPTION));
  }
}
