// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestQuery;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.relay.RunningRelay;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Asking: the audit before the act, the act and its result in one transaction, each once. */
abstract class AskContractTests extends AskedStories {

  private static final String ROWS_OF =
      "SELECT COUNT(*) FROM {schema}.outledger_request WHERE id = ?";

  private static final Reader READER = Reader.subscription(SUBSCRIPTION);

  private final TimeSource time = TimeSource.system();

  @Test
  final void requestIsKeptWithWhoAndWhyAndWhatCameOfIt() {
    append("a", "b");
    settle(owner());
    RequestStatus moved = requests().ask(new Move(SUBSCRIPTION, Start.EARLIEST).by(WHO, WHY));
    assertThat(moved.state()).isEqualTo(RequestState.DONE);
    assertThat(moved.done()).isEqualTo(1);
    assertThat(moved.verb()).isEqualTo("move");
    assertThat(moved.reader()).isEqualTo(READER);
    assertThat(moved.selection()).isEqualTo("start=earliest");
    assertThat(moved.askedBy()).isEqualTo(WHO);
    assertThat(moved.reason()).isEqualTo(WHY);
    assertThat(moved.result()).startsWith("moved from position 2 to 0");
    assertThat(requests().get(moved.id())).contains(moved);
  }

  @Test
  final void askedTwiceWithTheSameIdItHappensOnce() {
    append("a");
    settle(owner());
    Request request = new Move(SUBSCRIPTION, Start.EARLIEST).by(WHO, WHY);
    RequestStatus first = requests().ask(request);
    settle(owner());
    assertThat(requests().ask(request)).isEqualTo(first);
    assertThat(high()).isEqualTo(1);
    assertThat(count("SELECT COUNT(*) FROM outledger_request")).isEqualTo(1);
  }

  @Test
  final void idOfAnotherRequestIsRefusedAndNothingIsNoted() {
    append("a");
    settle(owner());
    Request move = new Move(SUBSCRIPTION, Start.EARLIEST).by(WHO, WHY);
    RequestStatus before = requests().ask(move);
    Request other = new Verb.Delete(SUBSCRIPTION).by(WHO, WHY).withId(move.id());
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> requests().ask(other));
    assertThat(process().admin().requests(RequestQuery.ALL).rows()).containsExactly(before);
  }

  @Test
  final void whatCannotBeDoneIsRefusedAndKept() {
    RequestStatus refused = requests().ask(new Verb.Delete("nobody").by(WHO, WHY));
    assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
    assertThat(refused.code()).isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION.code());
    assertThat(refused.result()).startsWith("there is no subscription \"nobody\"");
    assertThat(requests().get(refused.id())).contains(refused);
  }

  @Test
  final void whoAndWhyAreRequiredAndBounded() {
    Verb verb = new Verb.Delete(SUBSCRIPTION);
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> verb.by(" ", WHY));
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> verb.by(WHO, ""));
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> verb.by("a".repeat(201), WHY));
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> verb.by(WHO, "w".repeat(10_000)));
    String longest = "\u20ac".repeat(Request.REASON_CHARS_MAX);
    RequestStatus kept = requests().ask(verb.by("\u20ac".repeat(200), longest));
    assertThat(kept.reason()).isEqualTo(longest);
  }

  @Test
  final void whatIsAskedForWhileSomebodyIsAtItWaits() throws Exception {
    append("a");
    settle(owner());
    Request move = new Move(SUBSCRIPTION, Start.EARLIEST).by(WHO, WHY);
    note(move);
    if (fixture().writers() == DatabaseFixture.Writers.ONE) {
      askerWaitsForWhoeverIsAtIt(move);
      return;
    }
    inTransaction(
        other -> {
          assertThat(database().requests().lockFree(other, move.id())).isPresent();
          long start = time.nanoTime();
          assertThat(requests().ask(move).state()).isEqualTo(RequestState.WAITING);
          Duration waited = Duration.ofNanos(time.nanoTime() - start);
          assertThat(waited).as("for whoever is faster").isGreaterThan(Duration.ofMillis(900));
        });
    assertThat(high()).isEqualTo(1);
    assertThat(requests().ask(move).state()).isEqualTo(RequestState.DONE);
  }

  private void askerWaitsForWhoeverIsAtIt(Request move) {
    CompletableFuture<RequestState> asked =
        database()
            .transactions(dataSource())
            .run(
                OperatorTransactions.Kind.CHANGES,
                "doing a step",
                other -> {
                  assertThat(database().requests().lockFree(other, move.id())).isPresent();
                  CompletableFuture<RequestState> asking =
                      CompletableFuture.supplyAsync(() -> requests().ask(move).state());
                  assertThat(high()).isEqualTo(1);
                  assertThat(asking).isNotDone();
                  return asking;
                });
    assertThat(asked.join()).isEqualTo(RequestState.DONE);
  }

  @Test
  final void whatWasNotedIsDoneByAnotherProcessWhereTheAskerHasDied() {
    for (String name : stories().keySet()) {
      Story story = prepared(name);
      Request request = story.verb().by(WHO, WHY);
      note(request);
      assertThat(story.hasHappened().getAsBoolean()).as(name).isFalse();
      assertThat(requests().ask(request).state()).as(name).isNotEqualTo(RequestState.WAITING);
      assertThat(story.hasHappened().getAsBoolean()).as(name).isTrue();
    }
  }

  @Test
  final void processWithARelayDoesWhatWasNoted() {
    append("a");
    Owner other = owner("other");
    settle(other);
    other.release();
    Request delete = new Verb.Delete("other").by(WHO, WHY);
    note(delete);
    try (Outledger outledger = Outledger.builder(dataSource()).withoutRetention().build();
        RunningRelay relay = outledger.relay(SUBSCRIPTION).to(new RecordingPublisher()).start()) {
      until(relay, () -> requests().get(delete.id()).orElseThrow().state().isOver());
      assertThat(requests().get(delete.id()).orElseThrow().state()).isEqualTo(RequestState.DONE);
    }
  }

  @Test
  final void killedAtSomeCommitsItHappensOnceWhereItWasNoted() throws Exception {
    int story = 0;
    for (String name : stories().keySet()) {
      CommitPoints.tryQuarter(story++, (commit, after) -> killedAt(name, commit, after));
    }
  }

  @Test
  @Tag(CommitPoints.LONG)
  final void killedAtAnyCommitItHappensOnceWhereItWasNoted() throws Exception {
    for (String name : stories().keySet()) {
      CommitPoints.tryAll((commit, after) -> killedAt(name, commit, after));
    }
  }

  /** Returns whether it came to that commit at all. */
  private boolean killedAt(String name, int commit, boolean after) throws Exception {
    Story story = prepared(name);
    Request request = story.verb().by(WHO, WHY);
    boolean isDead = KillingDataSource.ask(dataSource(), request, commit, after);
    String what = name + ", killed at commit " + commit + (after ? ", after it" : ", before it");
    boolean isNoted = requests().get(request.id()).isPresent();
    if (!isNoted) {
      assertThat(story.hasHappened().getAsBoolean()).as(what).isFalse();
    }
    RequestStatus end = requests().ask(request);
    assertThat(end.state()).as(what).isNotIn(RequestState.WAITING, RequestState.REFUSED);
    assertThat(end.done() + end.state().name()).as(what).isNotEqualTo("0DONE");
    assertThat(story.hasHappened().getAsBoolean()).as(what).isTrue();
    assertThat(count(ROWS_OF, end.id())).isEqualTo(1);
    return isDead;
  }

  /** Notes a request, as a process does that dies then. */
  private void note(Request request) {
    inTransaction(transaction -> database().requests().insert(transaction, request));
  }

  private long high() {
    return process().admin().subscriptions().get(0).cursor().high();
  }

  @Test
  final void closedDoorSaysSo() {
    Outledger closed = Outledger.builder(dataSource()).withoutRetention().build();
    Requests door = closed.requests();
    closed.close();
    assertThatThrownBy(() -> door.get(UUID.randomUUID())).hasMessageStartingWith("OUT-026");
  }
}
