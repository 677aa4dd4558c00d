// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.spi.RetentionStore.Step;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.Statement;
import java.util.List;
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
    assertThat(moved.isReplay()).isTrue();
    assertThat(moved.from()).isEqualTo(owner.frontier().high());
    assertThat(owner.trySave(owner.frontier())).isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(read(owner())).hasSize(3);
  }

  @Test
  final void moveToNowSkipsWhatIsThere() {
    append("a", "b");
    owner().release();
    assertThat(move(Start.NOW).isReplay()).isFalse();
    append("c");
    assertThat(read(owner())).hasSize(1);
  }

  @Test
  final void moveToAPositionReadsFromThere() {
    append("a", "b", "c");
    Owner owner = owner();
    List<Long> positions = read(owner);
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
    move(Start.at(last + 1));
  }

  @Test
  final void purgedPlaceIsRefusedAndTheEarliestIsAfterIt() {
    append("a", "b");
    Owner owner = owner();
    List<Long> positions = read(owner);
    settle(owner);
    database().retention(dataSource()).purgeMessages(AT_ONCE, Step.NONE);
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
    assertThat(
            database()
                .parked(dataSource())
                .list(SUBSCRIPTION, ParkedSelection.of(ParkedState.DEAD), ParkedPlace.FIRST, 10))
        .extracting(dead -> dead.parked().position())
        .containsExactly(positions.get(0));
  }

  @Test
  final void whatHandlersRememberIsCountedOrForgotten() {
    append("a", "b");
    Owner owner = owner();
    List<Long> positions = read(owner);
    settle(owner);
    positions.forEach(position -> remember(SUBSCRIPTION, position));
    remember(SUBSCRIPTION + "2", positions.get(0));
    assertThat(move(Start.at(positions.get(1))).known()).isEqualTo(1);
    settle(owner());
    Moved again = database().subscriptions(dataSource()).move(SUBSCRIPTION, Start.EARLIEST, true);
    assertThat(again.forgotten()).isEqualTo(2);
    settle(owner());
    assertThat(move(Start.EARLIEST).known()).isZero();
    assertThat(count("SELECT count(*) FROM outledger_inbox")).isEqualTo(1);
  }

  @Test
  final void handlersWhoseConsumerHasANameOfItsOwnForgetToo() {
    append("a");
    Owner owner = owner();
    long position = read(owner).get(0);
    settle(owner);
    remember("stock", SUBSCRIPTION, position);
    assertThat(move(Start.EARLIEST).known()).isEqualTo(1);
    settle(owner());
    assertThat(database().subscriptions(dataSource()).move(SUBSCRIPTION, Start.EARLIEST, true))
        .returns(1L, Moved::forgotten);
  }

  /** A message of the new ledger may be committed late, at a position that handlers remember. */
  @Test
  final void handlersForgetAllThatTheyRememberOfAnEmptiedLedger() {
    append("a", "b", "c");
    Owner owner = owner();
    List<Long> positions = read(owner);
    settle(owner);
    positions.forEach(position -> remember(SUBSCRIPTION, position));
    emptyTheLedger();
    append("d", "e");
    Moved moved = database().subscriptions(dataSource()).move(SUBSCRIPTION, Start.NOW, true);
    assertThat(moved.forgotten()).isEqualTo(3);
    assertThat(count("SELECT count(*) FROM outledger_inbox")).isZero();
  }

  @Test
  final void handlersForgetWhereTheEmptiedLedgerHasGoneFurther() {
    append("a", "b");
    Owner owner = owner();
    saveKnowing(owner, Positions.NONE);
    remember(SUBSCRIPTION, 5);
    emptyTheLedger();
    append("c", "d", "e");
    assertThat(move(Start.at(4)).known()).isEqualTo(1);
    emptyTheLedger();
    append("f", "g", "h", "i");
    Moved moved = database().subscriptions(dataSource()).move(SUBSCRIPTION, Start.at(5), true);
    assertThat(moved.forgotten()).isEqualTo(1);
  }

  @Test
  final void whatAnEmptiedLedgerHadOpenIsNotOpenInTheNewOne() {
    append("a", "b", "c");
    Owner owner = owner();
    saveKnowing(owner, Positions.of(1));
    emptyTheLedger();
    append("d", "e", "f");
    move(Start.at(3));
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

  /** Its messages may be tried again while those of the new ledger are on their way. */
  @Test
  final void whatIsParkedOfAnEmptiedLedgerIsKeptApartInItsOrder() {
    append("a", "b", "c");
    Owner owner = owner();
    List<LedgerMessage> old = owner.store().poll(StoreContractTests.above(0)).messages();
    saveKnowing(owner, Positions.NONE);
    owner.save(
        ParkedRows.park(old.get(0), "", ParkedState.DEAD, null),
        ParkedRows.park(old.get(0), "mail", ParkedState.DEAD, null),
        ParkedRows.park(old.get(2), "", ParkedState.DEAD, null));
    emptyTheLedger();
    append("d");
    move(Start.EARLIEST);
    assertThat(parkedPlaces())
        .containsExactly(
            new ParkedPlace("", -2), new ParkedPlace("mail", -2), new ParkedPlace("", -1));
    Owner next = owner();
    LedgerMessage fresh = next.store().poll(StoreContractTests.above(0)).messages().get(0);
    next.save(ParkedRows.park(fresh, "", ParkedState.DEAD, null));
    saveKnowing(next, Positions.NONE);
    assertThat(parkedPlaces()).hasSize(4);
    emptyTheLedger();
    move(Start.EARLIEST);
    assertThat(parkedPlaces()).first().isEqualTo(new ParkedPlace("", -3));
  }

  @Test
  final void whatRetentionHasRemovedStaysParkedAtItsPosition() {
    append("a", "b");
    Owner owner = owner();
    List<LedgerMessage> read = owner.store().poll(StoreContractTests.above(0)).messages();
    saveKnowing(owner, Positions.NONE);
    owner.save(ParkedRows.park(read.get(0), "", ParkedState.DEAD, null));
    database().retention(dataSource()).purgeMessages(AT_ONCE, Step.NONE);
    append("c");
    move(Start.NOW);
    assertThat(parkedPlaces()).containsExactly(new ParkedPlace("", 1));
  }

  private List<ParkedPlace> parkedPlaces() {
    return database()
        .parked(dataSource())
        .list(SUBSCRIPTION, ParkedSelection.of(ParkedState.DEAD), ParkedPlace.FIRST, 10)
        .stream()
        .map(dead -> ParkedPlace.of(dead.parked()))
        .toList();
  }

  /** Settles what was read apart from some positions, as a relay that knows its ledger. */
  private static void saveKnowing(Owner owner, Positions open) {
    List<LedgerMessage> read = owner.store().poll(StoreContractTests.above(0)).messages();
    LedgerMessage last = read.get(read.size() - 1);
    owner.saveKnowing(
        new Frontier(last.position(), open),
        new KnownMessage(last.position(), last.message().id()));
  }

  private void emptyTheLedger() {
    execute("DELETE FROM outledger_message");
    execute("ALTER SEQUENCE outledger_message_position RESTART WITH 1");
  }

  private void execute(String sql) {
    inTransaction(
        transaction -> {
          try (Statement statement = transaction.createStatement()) {
            statement.execute(sql);
          }
        });
  }

  private Moved move(Start start) {
    return database().subscriptions(dataSource()).move(SUBSCRIPTION, start, false);
  }
}
