// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Standing;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.Fenced;
import io.outledger.jdbc.spi.MoveRequest;
import io.outledger.jdbc.spi.RetentionStore.Step;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.time.TimeSource;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replay is a job: settled messages are published once more, each once, to a known end. */
abstract class ReplayJobContractTests extends DatabaseContractTests {

  private static final String WHO = "anna";
  private static final String WHY = "the vendor has lost them";
  private static final String TWO_OF_FIVE =
      "5 messages up to position 5: 2 published again, 3 taken back";

  private Requests requests() {
    return process().requests();
  }

  private static Request replay(ReplayRange range, Pace pace) {
    return new Verb.Replay(SUBSCRIPTION, "", range, pace).by(WHO, WHY);
  }

  private Owner ownerOfSettled(int messages) {
    append(IntStream.rangeClosed(1, messages).mapToObj(n -> "k" + n % 3).toArray(String[]::new));
    Owner owner = owner();
    settle(owner);
    return owner;
  }

  private static List<Long> duePositions(Owner owner) {
    return owner.store().due(StoreContractTests.ROUTES, Set.of(), 10_000).stream()
        .map(ParkedMessage::position)
        .toList();
  }

  private static void publish(Owner owner) {
    publish(owner, 10_000);
  }

  private static void publish(Owner owner, int most) {
    List<ParkedMessage> due = owner.store().due(StoreContractTests.ROUTES, Set.of(), most);
    owner.save(
        due.stream()
            .map(row -> new ParkedChange.Remove(row.position(), row.route(), row.message().id()))
            .toArray(ParkedChange[]::new));
  }

  @Test
  final void settledMessagesAreDueOnceMoreInTheirOrder() {
    Owner owner = ownerOfSettled(5);
    Request request = replay(ReplayRange.positions(2, 4), Pace.UNLIMITED);
    RequestStatus running = requests().ask(request);
    assertThat(running.state()).isEqualTo(RequestState.RUNNING);
    assertThat(duePositions(owner)).containsExactly(2L, 3L, 4L);
    assertThat(owner.store().due(StoreContractTests.ROUTES, Set.of(), 10))
        .allSatisfy(row -> assertThat(row.attempts()).isZero())
        .allSatisfy(row -> assertThat(row.blocks()).isFalse());
    publish(owner);
    RequestStatus end = later(request);
    assertThat(end.state()).isEqualTo(RequestState.DONE);
    assertThat(end.done()).isEqualTo(3);
    assertThat(end.total()).isEqualTo(3);
    assertThat(duePositions(owner)).isEmpty();
  }

  @Test
  final void copiesOfAReplayMakeTheirSubscriptionNoOlder() {
    Owner owner = ownerOfSettled(3);
    requests().ask(replay(ReplayRange.ALL, Pace.UNLIMITED));
    assertThat(duePositions(owner)).hasSize(3);
    SubscriptionState.Lag replaying = lag();
    assertThat(replaying.oldest()).isZero();
    assertThat(replaying.oldestState()).isNull();
    owner.save(ParkedRows.park(messagesOf(owner).get(1), "mail", ParkedState.DEAD, null));
    fixture().letPass(Duration.ofMillis(5));
    assertThat(lag().oldest()).isPositive();
    assertThat(lag().oldestState()).isEqualTo("dead");
  }

  private SubscriptionState.Lag lag() {
    return process().admin().subscriptions().get(0).lag();
  }

  @Test
  final void messageWhoseCopyIsDiscardedStaysPublished() {
    Owner owner = ownerOfSettled(3);
    requests().ask(replay(ReplayRange.ALL, Pace.UNLIMITED));
    List<LedgerMessage> messages = messagesOf(owner);
    owner.save(
        discard(messages.get(0)),
        new ParkedChange.Remove(2, "", messages.get(1).message().id()),
        ParkedRows.park(messages.get(2), "", ParkedState.DEAD, null));
    assertThat(state(1)).isEqualTo(Standing.State.PUBLISHED);
    assertThat(state(2)).isEqualTo(Standing.State.PUBLISHED);
    assertThat(state(3)).isEqualTo(Standing.State.DEAD);
    owner.save(discard(messages.get(2))); // no copy any more: it was parked since
    assertThat(state(3)).isIn(Standing.State.DISCARDED, Standing.State.PUBLISHED);
  }

  private static ParkedChange discard(LedgerMessage message) {
    return new ParkedChange.Remove(message.position(), "", message.message().id(), true);
  }

  private Standing.State state(long position) {
    return process().admin().message(position).orElseThrow().standings().get(0).state();
  }

  @Test
  final void onlyWhatFitsIsReplayed() {
    Owner owner = ownerOfSettled(6);
    requests().ask(replay(ReplayRange.ALL.withKey("k1").withTopic("orders"), Pace.UNLIMITED));
    assertThat(duePositions(owner)).containsExactly(1L, 4L);
    publish(owner);
    RequestStatus none = requests().ask(replay(ReplayRange.ALL.withType("no"), Pace.UNLIMITED));
    assertThat(none.done()).isZero();
    assertThat(duePositions(owner)).isEmpty();
  }

  @Test
  final void whatIsNotSettledIsLeftToTheOwner() {
    Owner owner = ownerOfSettled(2);
    append("new");
    requests().ask(replay(ReplayRange.ALL, Pace.UNLIMITED));
    assertThat(duePositions(owner)).containsExactly(1L, 2L);
    RequestStatus refused = requests().ask(replay(ReplayRange.positions(3, 3), Pace.UNLIMITED));
    assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
    assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION.code());
  }

  @Test
  final void whatRetentionHasRemovedIsRefused() {
    ownerOfSettled(3);
    retention().purgeMessages(AT_ONCE, Step.NONE);
    append("a");
    RequestStatus refused = requests().ask(replay(ReplayRange.positions(2, 3), Pace.UNLIMITED));
    assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
    assertThat(refused.code()).isEqualTo(ErrorCode.POSITION_PURGED.code());
  }

  @Test
  final void emptyRangeIsRefusedAtTheDoor() {
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> ReplayRange.positions(5, 4));
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> ReplayRange.positions(0, 4));
  }

  @Test
  final void whatIsParkedAlreadyStaysAsItIs() {
    Owner owner = ownerOfSettled(2);
    Request request = replay(ReplayRange.ALL, Pace.UNLIMITED);
    requests().ask(request);
    RequestStatus second = requests().ask(replay(ReplayRange.ALL, Pace.UNLIMITED));
    assertThat(second.result()).isEqualTo("no message fits that is not parked already");
    assertThat(duePositions(owner)).containsExactly(1L, 2L);
  }

  @Test
  final void rateIsKeptAndTheJobIsStopped() {
    Owner owner = ownerOfSettled(100);
    Request request = replay(ReplayRange.ALL, new Pace(10, 0));
    long from = TimeSource.system().nanoTime();
    requests().ask(request);
    long first = duePositions(owner).size();
    assertThat(first).isBetween(1L, atMost(10, from));
    later(request);
    assertThat((long) duePositions(owner).size()).isBetween(first + 1, atMost(10, from));
    RequestStatus stopped = requests().stop(request.id());
    assertThat(stopped.state()).isEqualTo(RequestState.STOPPED);
    assertThat(duePositions(owner)).isEmpty();
    later(request);
    assertThat(duePositions(owner)).isEmpty();
  }

  @Test
  final void killedAtSomeCommitsEachIsReplayedOnce() throws Exception {
    Owner owner = ownerOfSettled(7);
    CommitPoints.tryQuarter(0, (commit, after) -> isReplayedOnceKilledAt(owner, commit, after));
  }

  @Test
  @Tag(CommitPoints.LONG)
  final void killedAtAnyCommitEachIsReplayedOnce() throws Exception {
    Owner owner = ownerOfSettled(7);
    CommitPoints.tryAll((commit, after) -> isReplayedOnceKilledAt(owner, commit, after));
  }

  private boolean isReplayedOnceKilledAt(Owner owner, int commit, boolean after) throws Exception {
    Request request = replay(ReplayRange.positions(1, 7), Pace.UNLIMITED);
    boolean isDead = KillingDataSource.ask(dataSource(), request, commit, after);
    requests().ask(request);
    assertThat(duePositions(owner)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    publish(owner);
    RequestStatus end = later(request);
    assertThat(end.state()).isEqualTo(RequestState.DONE);
    assertThat(end.done()).isEqualTo(7);
    return isDead;
  }

  @Test
  final void deletionEndsAReplay() {
    Owner owner = ownerOfSettled(100);
    Request request = replay(ReplayRange.ALL, new Pace(10, 0));
    requests().ask(request);
    owner.release();
    process().subscriptions().delete(SUBSCRIPTION);
    RequestStatus ended = requests().get(request.id()).orElseThrow();
    assertThat(ended.state()).isEqualTo(RequestState.STOPPED);
    assertThat(ended.result()).startsWith("ended, because the subscription was deleted");
    assertNothingIsCopied(request);
  }

  @Test
  final void moveBackEndsAReplay() {
    ownerOfSettled(100);
    Request request = replay(ReplayRange.ALL, new Pace(10, 0));
    requests().ask(request);
    process().subscriptions().move(SUBSCRIPTION, Start.at(3));
    RequestStatus ended = requests().get(request.id()).orElseThrow();
    assertThat(ended.state()).isEqualTo(RequestState.STOPPED);
    assertThat(ended.result()).startsWith("ended, because the subscription was moved");
    assertNothingIsCopied(request);
  }

  @Test
  final void replayThatAMoveHasNotSeenCopiesNothingThatIsOpenAgain() {
    ownerOfSettled(100);
    Request request = replay(ReplayRange.ALL, new Pace(10, 0));
    requests().ask(request);
    MoveRequest back = new MoveRequest(new Move(SUBSCRIPTION, Start.EARLIEST), Optional.empty());
    inTransaction(
        transaction ->
            database().subscriptions().move(transaction, SUBSCRIPTION, back, Fenced.NOTHING));
    RequestStatus ended = later(request);
    assertThat(ended.state()).isEqualTo(RequestState.STOPPED);
    assertThat(ended.result()).contains("the subscription was moved or made again");
    assertNothingIsCopied(request);
  }

  @Test
  final void replayOfALedgerThatIsEmptiedEnds() {
    Owner owner = ownerOfSettled(100);
    LedgerMessage last = messagesOf(owner).get(99);
    owner.saveKnowing(owner.frontier(), new KnownMessage(100, last.message().id()));
    Request request = replay(ReplayRange.ALL, new Pace(10, 0));
    requests().ask(request);
    fixture().emptyLedger();
    append(Collections.nCopies(100, "k").toArray(String[]::new));
    RequestStatus ended = later(request);
    assertThat(ended.state()).isEqualTo(RequestState.STOPPED);
    assertThat(ended.result()).contains(ErrorCode.LEDGER_BEHIND_CURSOR.code());
    assertThat(count("SELECT COUNT(*) FROM outledger_parked")).isZero();
  }

  @Test
  final void stopGoesOnWhereWhoeverStoppedWasKilled() throws Exception {
    Owner owner = ownerOfSettled(1_000);
    Request request = replay(ReplayRange.ALL, Pace.UNLIMITED);
    requests().ask(request);
    assertThat(duePositions(owner)).hasSize(1_000);
    KillingDataSource killing = new KillingDataSource(dataSource());
    try (Outledger dying = Outledger.builder(killing.dataSource()).withoutRetention().build()) {
      Requests door = dying.requests();
      killing.dieAt(1, true);
      assertThatExceptionOfType(StoreException.class).isThrownBy(() -> door.stop(request.id()));
    }
    assertThat(requests().get(request.id()).orElseThrow().result()).startsWith("stopped: 1000");
    RequestStatus stopped = later(request);
    assertThat(stopped.state()).isEqualTo(RequestState.STOPPED);
    assertThat(stopped.result()).startsWith("stopped: 1000 messages up to");
    assertThat(stopped.done()).isZero();
    assertThat(duePositions(owner)).isEmpty();
  }

  @Test
  final void stopTellsWhatHasEndedSinceItsLastStep() {
    Request request = replayOfFiveWithTwoPublishedSinceItsStep();
    RequestStatus stopped = requests().stop(request.id());
    assertThat(stopped.result()).isEqualTo("stopped: " + TWO_OF_FIVE);
    assertThat(stopped.done()).isEqualTo(2);
  }

  @Test
  final void moveTellsWhatHasEndedOfTheReplayThatItEnds() {
    Request request = replayOfFiveWithTwoPublishedSinceItsStep();
    process().subscriptions().move(SUBSCRIPTION, Start.at(3));
    RequestStatus ended = requests().get(request.id()).orElseThrow();
    assertThat(ended.result())
        .isEqualTo("ended, because the subscription was moved: " + TWO_OF_FIVE);
    assertThat(ended.done()).isEqualTo(2);
  }

  private Request replayOfFiveWithTwoPublishedSinceItsStep() {
    Owner owner = ownerOfSettled(5);
    Request request = replay(ReplayRange.ALL, Pace.UNLIMITED);
    requests().ask(request);
    publish(owner, 2);
    return request;
  }

  @Test
  final void filterIsNoRoute() {
    Owner owner = ownerOfSettled(2);
    Set<Declaration> declared = Set.of(Declaration.everything("mail"), Declaration.filter("mine"));
    owner.store().declare(new Declaring(declared, Set.of()));
    RequestStatus refused = requests().ask(replay(ReplayRange.ALL, Pace.UNLIMITED));
    assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
    assertThat(refused.result()).contains("mail");
    assertThat(duePositions(owner)).isEmpty();
  }

  private void assertNothingIsCopied(Request request) {
    later(request);
    assertThat(count("SELECT COUNT(*) FROM outledger_parked")).isZero();
    Owner next = owner();
    assertThat(next.grant().parked()).isEmpty();
    settle(next);
    later(request);
    assertThat(duePositions(next)).isEmpty();
  }

  @Test
  final void orderIsKeptWhereRowsLieInAnyOrder() {
    Owner owner = ownerOfSettled(200);
    requests().ask(replay(ReplayRange.ALL, Pace.UNLIMITED));
    // The server puts a changed row where it finds room: here every second one behind the others.
    inTransaction(
        transaction -> {
          try (Statement statement = transaction.createStatement()) {
            for (String state : List.of("dead", "retrying")) {
              statement.execute(
                  "UPDATE outledger_parked SET state = '%s' WHERE MOD(position, 2) = 1"
                      .formatted(state));
            }
          }
        });
    List<Long> published = new ArrayList<>();
    for (int look = 0; look < 40; look++) {
      List<ParkedMessage> due = owner.store().due(StoreContractTests.ROUTES, Set.of(), 5);
      due.forEach(row -> published.add(row.position()));
      owner.save(
          due.stream()
              .map(row -> new ParkedChange.Remove(row.position(), row.route(), row.message().id()))
              .toArray(ParkedChange[]::new));
    }
    assertThat(published).hasSize(200).isSorted();
  }
}
