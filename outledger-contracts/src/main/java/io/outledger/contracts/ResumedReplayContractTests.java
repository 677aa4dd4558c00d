// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestQuery;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.ResumeReplay;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replay that was stopped goes on where it stood: each message is published once more. */
abstract class ResumedReplayContractTests extends DatabaseContractTests {

  private static final String WHO = "anna";
  private static final String WHY = "the vendor is ready for the rest";

  private Requests requests() {
    return process().requests();
  }

  private static Request replay(Pace pace, boolean again) {
    return new Verb.Replay(SUBSCRIPTION, "", ReplayRange.ALL, pace, again).by(WHO, WHY);
  }

  private static Request resume(Request replay) {
    return new ResumeReplay(SUBSCRIPTION, replay.id()).by(WHO, WHY);
  }

  private Owner ownerOfSettled(int messages) {
    append(IntStream.rangeClosed(1, messages).mapToObj(n -> "k" + n % 3).toArray(String[]::new));
    Owner owner = owner();
    settle(owner);
    return owner;
  }

  private static List<ParkedMessage> due(Owner owner) {
    return owner.store().due(StoreContractTests.ROUTES, Set.of(), 10_000);
  }

  private static List<Long> duePositions(Owner owner) {
    return due(owner).stream().map(ParkedMessage::position).toList();
  }

  /** Publishes what is due at some positions, or everything that is. */
  private static List<Long> publish(Owner owner, Long... positions) {
    List<Long> only = Arrays.asList(positions);
    List<ParkedMessage> rows =
        due(owner).stream().filter(row -> only.isEmpty() || only.contains(row.position())).toList();
    owner.save(
        rows.stream()
            .map(row -> new ParkedChange.Remove(row.position(), row.route(), row.message().id()))
            .toArray(ParkedChange[]::new));
    return rows.stream().map(ParkedMessage::position).toList();
  }

  private RequestStatus refused(Request resume) {
    RequestStatus refused = requests().ask(resume);
    assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
    return refused;
  }

  @Test
  final void stoppedReplayIsResumedAndWhatWasTakenBackIsPublishedOnce() {
    Owner owner = ownerOfSettled(5);
    Request replay = replay(Pace.UNLIMITED, false);
    requests().ask(replay);
    publish(owner, 1L, 4L);
    requests().stop(replay.id());
    assertThat(duePositions(owner)).isEmpty();
    RequestStatus resumed = requests().ask(resume(replay));
    assertThat(resumed.state()).isEqualTo(RequestState.DONE);
    assertThat(resumed.result())
        .isEqualTo("resumed, behind position 5, with 3 that were taken back");
    assertThat(later(replay).state()).isEqualTo(RequestState.RUNNING);
    assertThat(publish(owner)).containsExactly(2L, 3L, 5L);
    RequestStatus end = later(replay);
    assertThat(end.state()).isEqualTo(RequestState.DONE);
    assertThat(end.done()).isEqualTo(5);
    assertThat(end.total()).isEqualTo(5);
    assertThat(duePositions(owner)).isEmpty();
  }

  @Test
  final void resumptionSaysWhoAndWhyInARequestOfItsOwn() {
    ownerOfSettled(2);
    Request replay = replay(Pace.UNLIMITED, false);
    requests().ask(replay);
    requests().stop(replay.id());
    Request resume =
        new ResumeReplay(SUBSCRIPTION, replay.id()).by("bert", "the vendor has agreed");
    requests().ask(resume);
    RequestQuery ofVerb = RequestQuery.ALL.withVerb("resume-replay");
    List<RequestStatus> audit = process().admin().requests(ofVerb).rows();
    assertThat(audit).extracting(RequestStatus::id).containsExactly(resume.id());
    assertThat(audit.get(0).askedBy()).isEqualTo("bert");
    assertThat(audit.get(0).reason()).isEqualTo("the vendor has agreed");
    assertThat(audit.get(0).selection()).contains(replay.id().toString());
  }

  @Test
  final void stoppedAndResumedTwiceWhileItsOwnersAreKilledEachIsPublishedOnceMore() {
    Owner first = ownerOfSettled(300);
    Request replay = replay(new Pace(100, 0), false);
    requests().ask(replay);
    List<Long> published = new ArrayList<>(publish(first, 1L, 3L));
    requests().stop(replay.id());
    requests().ask(resume(replay));
    later(replay);
    Owner second = owner(); // the first is fenced, as one that was killed
    published.addAll(publish(second));
    later(replay);
    requests().stop(replay.id());
    requests().stop(replay.id());
    requests().ask(resume(replay));
    Owner third = owner();
    for (int look = 0; look < 100 && !later(replay).state().isOver(); look++) {
      published.addAll(publish(third));
    }
    assertThat(later(replay).state()).isEqualTo(RequestState.DONE);
    assertThat(published)
        .containsExactlyInAnyOrder(LongStream.rangeClosed(1, 300).boxed().toArray(Long[]::new));
    assertThat(later(replay).done()).isEqualTo(300);
  }

  @Test
  final void resumedBeforeItsCopiesWereTakenUpAndStoppedAgainItKeepsThem() {
    Owner owner = ownerOfSettled(20);
    Request replay = replay(new Pace(10, 0), false);
    requests().ask(replay);
    later(replay);
    int taken = duePositions(owner).size();
    requests().stop(replay.id());
    requests().ask(resume(replay));
    requests().stop(replay.id());
    RequestStatus resumed = requests().ask(resume(replay));
    assertThat(resumed.result()).endsWith("with " + taken + " that were taken back");
  }

  @Test
  final void whatAHandlerHasProcessedWhenItWasTakenBackIsNotForgottenTwice() {
    append("a", "b");
    Owner owner = owner();
    List<LedgerMessage> all = messagesOf(owner);
    all.forEach(each -> remember(SUBSCRIPTION, SUBSCRIPTION, each));
    settle(owner);
    Request replay = replay(Pace.UNLIMITED, true);
    requests().ask(replay);
    assertThat(isProcessed(all.get(0))).isTrue(); // its owner has still to save that
    requests().stop(replay.id());
    requests().ask(resume(replay));
    later(replay);
    assertThat(duePositions(owner)).containsExactly(1L, 2L);
    assertThat(isProcessed(all.get(0))).isFalse();
    assertThat(isProcessed(all.get(1))).isTrue();
  }

  private boolean isProcessed(LedgerMessage message) {
    Received received = Received.ofLedger(SUBSCRIPTION, message.position(), message.message());
    return inTransactionOf(
            transaction -> process().inbox(SUBSCRIPTION).process(transaction, received, () -> {}))
        == InboxOutcome.PROCESSED;
  }

  @Test
  final void onlyAStoppedReplayOfTheSubscriptionIsResumed() {
    Owner owner = ownerOfSettled(2);
    Request replay = replay(Pace.UNLIMITED, false);
    requests().ask(replay);
    assertThat(refused(resume(replay)).result()).contains("its state is running");
    publish(owner);
    assertThat(later(replay).state()).isEqualTo(RequestState.DONE);
    assertThat(refused(resume(replay)).result()).contains("is done: nothing of it is left");
    Request beyond =
        new Verb.Replay(SUBSCRIPTION, "", ReplayRange.positions(7, 7), Pace.UNLIMITED).by(WHO, WHY);
    requests().ask(beyond);
    assertThat(refused(resume(beyond)).result()).contains("was refused and has not begun");
    Request delete = new Verb.Delete("nobody").by(WHO, WHY);
    requests().ask(delete);
    assertThat(refused(resume(delete)).result()).contains("is no replay but a delete");
    Request unknown = new ResumeReplay(SUBSCRIPTION, UUID.randomUUID()).by(WHO, WHY);
    assertThat(refused(unknown).code()).isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION.code());
    Request stopped = replay(Pace.UNLIMITED, false);
    requests().ask(stopped);
    requests().stop(stopped.id());
    Request wrong = new ResumeReplay("other", stopped.id()).by(WHO, WHY);
    assertThat(refused(wrong).result()).endsWith("is one of subscription " + SUBSCRIPTION);
  }

  @Test
  final void askedTwiceWithOneIdItIsResumedOnce() {
    Owner owner = ownerOfSettled(2);
    Request replay = replay(Pace.UNLIMITED, false);
    requests().ask(replay);
    requests().stop(replay.id());
    Request resume = resume(replay);
    requests().ask(resume);
    requests().stop(replay.id());
    assertThat(requests().ask(resume).state()).isEqualTo(RequestState.DONE);
    assertThat(later(replay).state()).isEqualTo(RequestState.STOPPED);
    assertThat(duePositions(owner)).isEmpty();
  }

  @Test
  final void replayThatWasStoppedBeforeItsFirstStepBeginsWhereItIsResumed() {
    Owner owner = ownerOfSettled(2);
    Request replay = replay(Pace.UNLIMITED, false);
    for (int commit = 1; requests().get(replay.id()).isEmpty(); commit++) {
      KillingDataSource.ask(dataSource(), replay, commit, true);
    }
    assertThat(duePositions(owner)).isEmpty();
    assertThat(requests().stop(replay.id()).state()).isEqualTo(RequestState.STOPPED);
    assertThat(requests().ask(resume(replay)).result()).isEqualTo("resumed, from its beginning");
    later(replay);
    assertThat(publish(owner)).containsExactly(1L, 2L);
    assertThat(later(replay).state()).isEqualTo(RequestState.DONE);
  }

  @Test
  final void replayThatAMoveHasEndedIsNotResumed() {
    Owner owner = ownerOfSettled(5);
    Request replay = replay(Pace.UNLIMITED, false);
    requests().ask(replay);
    process().subscriptions().move(SUBSCRIPTION, Start.at(3));
    Owner next = owner();
    settle(next);
    assertThat(refused(resume(replay)).result())
        .contains("ended, because the subscription was moved; ask for another one");
    assertThat(duePositions(next)).isEmpty();
    assertThat(owner.n()).isLessThan(next.n());
  }

  @Test
  final void replayIsNotResumedWhileTheSubscriptionReadsItsRangeAgain() {
    ownerOfSettled(5);
    Request replay = replay(Pace.UNLIMITED, false);
    requests().ask(replay);
    requests().stop(replay.id());
    process().subscriptions().move(SUBSCRIPTION, Start.at(3));
    assertThat(refused(resume(replay)).result()).contains("settled all up to position 2 alone");
    Owner next = owner();
    settle(next);
    assertThat(requests().ask(resume(replay)).state()).isEqualTo(RequestState.DONE);
    later(replay);
    assertThat(duePositions(next)).hasSize(5);
  }

  @Test
  final void replayOfALedgerThatWasEmptiedSinceIsNotResumed() {
    Owner owner = ownerOfSettled(5);
    Request replay = replay(Pace.UNLIMITED, false);
    requests().ask(replay);
    requests().stop(replay.id());
    fixture().emptyLedger();
    append("a", "b", "c", "d", "e");
    assertThat(refused(resume(replay)).result()).contains("the ledger was emptied since");
    assertThat(duePositions(owner)).isEmpty();
  }

  @Test
  final void replayThatWouldStopAgainAtOnceIsNotResumed() {
    Owner owner = ownerOfSettled(4);
    Request replay = replay(new Pace(0, 2), false);
    requests().ask(replay);
    owner.save(due(owner).stream().limit(2).map(ParkedRows::failed).toArray(ParkedChange[]::new));
    assertThat(later(replay).state()).isEqualTo(RequestState.STOPPED);
    assertThat(refused(resume(replay)).result())
        .contains("2 of its messages are dead letters, and it stops at 2");
    Which dead = new Which.Selected(ParkedSelection.of(ParkedState.DEAD), null, null);
    requests()
        .ask(new Verb.Retry(Reader.subscription(SUBSCRIPTION), dead, Pace.UNLIMITED).by(WHO, WHY));
    assertThat(requests().ask(resume(replay)).state()).isEqualTo(RequestState.DONE);
    later(replay);
    assertThat(duePositions(owner)).contains(3L, 4L);
  }

  @Test
  final void replayOfARenamedSubscriptionIsResumedInItsNewName() {
    Owner owner = ownerOfSettled(3);
    Request replay = replay(Pace.UNLIMITED, false);
    requests().ask(replay);
    requests().stop(replay.id());
    owner.release();
    requests().ask(Verb.Rename.subscription(SUBSCRIPTION, "renamed").by(WHO, WHY));
    assertThat(requests().ask(resume(replay)).state()).isEqualTo(RequestState.DONE);
    later(replay);
    Owner next = owner("renamed");
    assertThat(publish(next)).containsExactly(1L, 2L, 3L);
    assertThat(later(replay).state()).isEqualTo(RequestState.DONE);
  }

  @Test
  final void killedAtSomeCommitsItIsResumedOnce() throws Exception {
    Owner owner = ownerOfSettled(4);
    CommitPoints.tryQuarter(0, (commit, after) -> isResumedOnceKilledAt(owner, commit, after));
  }

  @Test
  @Tag(CommitPoints.LONG)
  final void killedAtAnyCommitItIsResumedOnce() throws Exception {
    Owner owner = ownerOfSettled(4);
    CommitPoints.tryAll((commit, after) -> isResumedOnceKilledAt(owner, commit, after));
  }

  private boolean isResumedOnceKilledAt(Owner owner, int commit, boolean after) {
    Request replay = replay(Pace.UNLIMITED, false);
    requests().ask(replay);
    publish(owner, 2L);
    requests().stop(replay.id());
    Request resume = resume(replay);
    boolean isDead = KillingDataSource.ask(dataSource(), resume, commit, after);
    assertThat(requests().ask(resume).state()).isEqualTo(RequestState.DONE);
    later(replay);
    assertThat(publish(owner)).containsExactly(1L, 3L, 4L);
    RequestStatus end = later(replay);
    assertThat(end.state()).isEqualTo(RequestState.DONE);
    assertThat(end.done()).isEqualTo(4);
    return isDead;
  }
}
