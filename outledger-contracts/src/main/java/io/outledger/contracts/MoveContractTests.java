// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Skip;
import io.outledger.jdbc.spi.Fenced;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.spi.MoveRequest;
import io.outledger.jdbc.spi.RetentionStore.Step;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

abstract class MoveContractTests extends DatabaseContractTests {

  @Test
  final void unknownSubscriptionIsNotMoved() {
    assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> move(Start.EARLIEST));
  }

  @Test
  final void moveBackReadsAgainAndFencesTheOwner() {
    append("a", "b", "c");
    Owner owner = owner();
    settle(owner);
    Moved moved = move(Start.EARLIEST);
    assertThat(moved.isBack()).isTrue();
    assertThat(moved.from()).isEqualTo(owner.frontier().high());
    assertThat(owner.trySave(owner.frontier())).isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(read(owner())).hasSize(3);
  }

  @Test
  final void skipToNowPassesOverWhatIsThere() {
    append("a", "b");
    owner().release();
    assertThat(skip(Start.NOW).isBack()).isFalse();
    append("c");
    assertThat(read(owner())).hasSize(1);
  }

  /** A move that is carried out later than it was meant must lose nothing. */
  @Test
  final void moveThatWouldPassOverSomethingIsRefusedAndChangesNothing() {
    List<Long> positions = settled("a", "b", "c");
    move(Start.at(positions.get(1)));
    String before = cursor();
    for (Start start : List.of(Start.at(positions.get(2)), Start.NOW)) {
      assertThatThrownBy(() -> move(start))
          .hasMessageStartingWith("OUT-021")
          .hasMessageContaining("A move passes over nothing");
    }
    assertThat(cursor()).isEqualTo(before);
    assertThat(read(owner())).isEqualTo(positions.subList(1, 3));
  }

  @Test
  final void skipThatWouldReadSomethingAgainIsRefusedAndChangesNothing() {
    List<Long> positions = settled("a", "b");
    String before = cursor();
    assertThatThrownBy(() -> skip(Start.at(positions.get(1))))
        .hasMessageStartingWith("OUT-021")
        .hasMessageContaining("A skip reads nothing again");
    assertThat(cursor()).isEqualTo(before);
  }

  @Test
  final void skipPassesOverWhatIsBeforeAPosition() {
    append("a", "b", "c");
    Owner owner = owner();
    List<Long> positions = read(owner);
    owner.release();
    skip(Start.at(positions.get(2)));
    assertThat(read(owner())).isEqualTo(positions.subList(2, 3));
  }

  /** Its owner goes on while the ledger is walked through. */
  @Test
  final void whatIsSettledSinceASkipFoundItsPlaceIsNotReadAgain() {
    List<Long> positions = settled("a", "b", "c");
    skipToNowFound(new LedgerEdge(positions.get(0), Positions.NONE, null));
    append("d");
    assertThat(read(owner())).hasSize(1).doesNotContainAnyElementsOf(positions);
  }

  private void skipToNowFound(LedgerEdge old) {
    MoveRequest skip = new MoveRequest(new Skip(SUBSCRIPTION, Start.NOW), Optional.of(old));
    SubscriptionStore store = database().subscriptions();
    inTransaction(transaction -> store.move(transaction, SUBSCRIPTION, skip, Fenced.NOTHING));
  }

  /** While a destination is away, an owner reads on and settles nothing. */
  @Test
  final void skipPassesOverWhatWasReadAndNotSettled() {
    append("a", "b", "c", "d");
    Owner owner = owner();
    List<Long> positions = read(owner);
    long last = positions.get(3);
    owner.save(new Frontier(last, Positions.range(positions.get(0), last)));
    owner.release();
    skip(Start.at(positions.get(2)));
    assertThat(read(owner())).isEqualTo(positions.subList(2, 4));
  }

  /** Appends messages and settles them; returns their positions. */
  private List<Long> settled(String... keys) {
    append(keys);
    Owner owner = owner();
    List<Long> positions = read(owner);
    settle(owner);
    return positions;
  }

  private String cursor() {
    return String.valueOf(process().admin().subscriptions().get(0).cursor());
  }

  @Test
  final void moveToAPositionReadsFromThere() {
    List<Long> positions = settled("a", "b", "c");
    move(Start.at(positions.get(1)));
    assertThat(read(owner())).isEqualTo(positions.subList(1, 3));
  }

  @Test
  final void placeBeyondTheEndIsRefused() {
    append("a");
    Owner owner = owner();
    long last = read(owner).get(0);
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> move(Start.at(last + 2)));
    owner.save(owner.frontier());
    skip(Start.at(last + 1));
  }

  @Test
  final void purgedPlaceIsRefusedAndTheEarliestIsAfterIt() {
    append("a", "b");
    Owner owner = owner();
    List<Long> positions = read(owner);
    settle(owner);
    retention().purgeMessages(AT_ONCE, Step.NONE);
    assertCode(ErrorCode.POSITION_PURGED, () -> move(Start.at(positions.get(0))));
    move(Start.EARLIEST);
    append("c");
    assertThat(read(owner())).hasSize(1).doesNotContainAnyElementsOf(positions);
  }

  @Test
  final void parkedRowsOfWhatIsReadAgainGoAndEarlierOnesStay() {
    append("a", "b");
    Owner owner = owner();
    List<LedgerMessage> messages = owner.store().poll(StoreContractTests.above(0)).messages();
    List<Long> positions = messages.stream().map(LedgerMessage::position).toList();
    settle(owner);
    owner.save(
        ParkedRows.park(messages.get(0), "", ParkedState.DEAD, null),
        ParkedRows.park(messages.get(1), "", ParkedState.DEAD, null));
    move(Start.at(positions.get(1)));
    assertThat(parkedPlaces()).extracting(ParkedPlace::position).containsExactly(positions.get(0));
  }

  @Test
  final void whatHandlersRememberIsCountedOrForgotten() {
    append("a", "b");
    Owner owner = owner();
    List<LedgerMessage> messages = messagesOf(owner);
    settle(owner);
    messages.forEach(message -> remember(SUBSCRIPTION, message));
    remember(SUBSCRIPTION + "2", messages.get(0));
    assertThat(move(Start.at(messages.get(1).position())).known()).isEqualTo(1);
    settle(owner());
    assertThat(moveAndProcessAgain(Start.EARLIEST)).returns(2L, Moved::forgotten);
    settle(owner());
    assertThat(move(Start.EARLIEST).known()).isZero();
    assertThat(count("SELECT count(*) FROM outledger_inbox")).isEqualTo(1);
  }

  @Test
  final void handlersWhoseConsumerHasANameOfItsOwnForgetToo() {
    append("a");
    Owner owner = owner();
    LedgerMessage message = messagesOf(owner).get(0);
    settle(owner);
    remember("Lager für Bücher", SUBSCRIPTION, message);
    assertThat(move(Start.EARLIEST).known()).isEqualTo(1);
    settle(owner());
    assertThat(moveAndProcessAgain(Start.EARLIEST)).returns(1L, Moved::forgotten);
  }

  /** It may be parked, or a handler may be at work on it. */
  @Test
  final void whatHandlersRememberOfAnEmptiedLedgerIsNeitherCountedNorForgotten() {
    append("a", "b", "c");
    Owner owner = owner();
    List<LedgerMessage> messages = messagesOf(owner);
    saveKnowing(owner, Positions.NONE);
    messages.forEach(message -> remember(SUBSCRIPTION, message));
    fixture().emptyLedger();
    append("d", "e");
    assertThat(move(Start.EARLIEST).known()).isZero();
    Owner next = owner();
    LedgerMessage fresh = messagesOf(next).get(0);
    saveKnowing(next, Positions.NONE);
    remember(SUBSCRIPTION, fresh);
    assertThat(move(Start.EARLIEST).known()).isEqualTo(1);
    settle(owner());
    assertThat(moveAndProcessAgain(Start.EARLIEST)).returns(1L, Moved::forgotten);
    assertThat(count("SELECT count(*) FROM outledger_inbox")).isEqualTo(3);
  }

  /** A user's own inbox may use the source that handlers have. */
  @Test
  final void idsThatAreNoLedgersAreNeitherCountedNorForgotten() {
    append("a");
    Owner owner = owner();
    settle(owner);
    for (String id : List.of("9999999999999999999/x", "order-7", "00000000000000000001")) {
      inTransaction(
          transaction ->
              database()
                  .inbox()
                  .insert(
                      transaction,
                      "shop",
                      Set.of(new InboxId(Received.inboxSourceOf(SUBSCRIPTION), id))));
    }
    assertThat(move(Start.EARLIEST).known()).isZero();
    settle(owner());
    assertThat(moveAndProcessAgain(Start.EARLIEST)).returns(0L, Moved::forgotten);
  }

  @Test
  final void whatAnEmptiedLedgerHadOpenIsNotOpenInTheNewOne() {
    append("a", "b", "c");
    Owner owner = owner();
    saveKnowing(owner, Positions.of(1));
    fixture().emptyLedger();
    append("d", "e", "f");
    skip(Start.at(3));
    assertThat(read(owner())).containsExactly(3L);
  }

  /** Somebody has deleted it by hand: what was committed late below must not be skipped. */
  @Test
  final void whatIsOpenStaysOpenWhereTheKnownMessageIsMerelyGone() {
    append("a", "b", "c");
    Owner owner = owner();
    saveKnowing(owner, Positions.of(1));
    execute("DELETE FROM outledger_message WHERE position = 3");
    move(Start.at(3));
    append("d");
    assertThat(read(owner())).containsExactly(1L, 4L);
  }

  /** Without that message, a ledger restored since would pass for the one that was read. */
  @Test
  final void skipToNowGoesOnKnowingTheMessageThatWasSavedSince() {
    append("a", "b", "c");
    Owner owner = owner();
    KnownMessage first = known(messagesOf(owner).get(0));
    saveKnowing(owner, Positions.NONE);
    skipToNowFound(new LedgerEdge(1, Positions.NONE, first));
    execute("DELETE FROM outledger_message WHERE position > 1");
    assertCode(ErrorCode.LEDGER_BEHIND_CURSOR, this::owner);
  }

  /** The numbers go on, and nothing is left by which the ledger could be known. */
  @Test
  final void moveToTheNextPositionHealsWhereEverythingWasDeleted() {
    append("a", "b");
    saveKnowing(owner(), Positions.NONE);
    execute("DELETE FROM outledger_message");
    move(Start.at(3));
    append("c");
    assertThat(read(owner())).containsExactly(3L);
  }

  /** Another ledger may be there, whose numbers go on. */
  @Test
  final void skipGoesWhereItSaysWhereTheKnownMessageIsGone() {
    append("a", "b", "c");
    saveKnowing(owner(), Positions.NONE);
    execute("DELETE FROM outledger_message");
    append("d", "e");
    skip(Start.at(2));
    assertThat(read(owner())).containsExactly(4L, 5L);
  }

  @Test
  final void whatIsParkedOfEmptiedLedgersStaysParkedBesideWhatIsParkedOfTheNewOne() {
    append("a", "b", "c");
    Owner owner = owner();
    List<LedgerMessage> old = messagesOf(owner);
    saveKnowing(owner, Positions.NONE);
    owner.save(
        ParkedRows.park(old.get(0), "", ParkedState.DEAD, null),
        ParkedRows.park(old.get(0), "mail", ParkedState.DEAD, null),
        ParkedRows.park(old.get(2), "", ParkedState.DEAD, null));
    List<ParkedPlace> places = new ArrayList<>(parkedPlaces());
    for (int round = 0; round < 3; round++) {
      fixture().emptyLedger();
      append("d");
      move(Start.EARLIEST);
      Owner next = owner();
      LedgerMessage fresh = messagesOf(next).get(0);
      next.save(ParkedRows.park(fresh, "", ParkedState.DEAD, null));
      saveKnowing(next, Positions.NONE);
      places.add(new ParkedPlace("", fresh.position(), fresh.message().id()));
    }
    assertThat(places).hasSize(6);
    assertThat(parkedPlaces()).containsExactlyInAnyOrderElementsOf(places);
  }

  @Test
  final void whatRetentionHasRemovedStaysParkedAtItsPosition() {
    append("a", "b");
    Owner owner = owner();
    List<LedgerMessage> read = owner.store().poll(StoreContractTests.above(0)).messages();
    saveKnowing(owner, Positions.NONE);
    owner.save(ParkedRows.park(read.get(0), "", ParkedState.DEAD, null));
    retention().purgeMessages(AT_ONCE, Step.NONE);
    append("c");
    skip(Start.NOW);
    assertThat(parkedPlaces()).containsExactly(new ParkedPlace("", 1, read.get(0).message().id()));
  }

  private List<ParkedPlace> parkedPlaces() {
    return parkedOf(Reader.subscription(SUBSCRIPTION)).stream()
        .map(row -> row.place().ofSubscription())
        .toList();
  }

  /** Settles what was read apart from some positions, as a relay that knows its ledger. */
  private static void saveKnowing(Owner owner, Positions open) {
    List<LedgerMessage> read = owner.store().poll(StoreContractTests.above(0)).messages();
    LedgerMessage last = read.get(read.size() - 1);
    owner.saveKnowing(new Frontier(last.position(), open), known(last));
  }

  private static KnownMessage known(LedgerMessage message) {
    return new KnownMessage(message.position(), message.message().id());
  }

  private Moved moveAndProcessAgain(Start start) {
    return process().subscriptions().moveAndProcessAgain(SUBSCRIPTION, start);
  }

  private Moved skip(Start start) {
    return process().subscriptions().skip(SUBSCRIPTION, start);
  }

  private Moved move(Start start) {
    return process().subscriptions().move(SUBSCRIPTION, start);
  }
}
