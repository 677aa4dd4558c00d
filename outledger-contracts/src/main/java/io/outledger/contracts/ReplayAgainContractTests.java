// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a replay takes up, in which route, and what the handlers there do with what they know. */
abstract class ReplayAgainContractTests extends DatabaseContractTests {

  private static final Set<String> ROUTES = Set.of("mail", "stock");
  private static final String OF_MAIL = SUBSCRIPTION + "/mail";

  private Owner owner;
  private List<LedgerMessage> all = List.of();

  @BeforeEach
  final void own() {
    owner = owner();
  }

  private Requests requests() {
    return process().requests();
  }

  private static Request replay(ReplayRange range, boolean again) {
    return new Verb.Replay(SUBSCRIPTION, "mail", range, Pace.UNLIMITED, again)
        .by("anna", "the vendor has lost them");
  }

  /** Settles messages that the handlers of both routes have processed. */
  private void settled(int messages) {
    append(IntStream.range(0, messages).mapToObj(n -> "k" + n % 2).toArray(String[]::new));
    owner
        .store()
        .declare(
            new Declaring(
                ROUTES.stream().map(Declaration::everything).collect(Collectors.toSet()),
                Set.of()));
    all = messagesOf(owner);
    for (LedgerMessage each : all) {
      remember(OF_MAIL, SUBSCRIPTION, each);
      remember(SUBSCRIPTION + "/stock", SUBSCRIPTION, each);
    }
    settle(owner);
  }

  private List<ParkedMessage> due(String route) {
    return owner.store().due(Set.of(route), Set.of(), 10_000);
  }

  private void publish() {
    owner.save(
        due("mail").stream().map(ReplayAgainContractTests::removed).toArray(ParkedChange[]::new));
  }

  private boolean isProcessed(String consumer, LedgerMessage message) {
    Received received = Received.ofLedger(SUBSCRIPTION, message.position(), message.message());
    InboxOutcome[] outcome = new InboxOutcome[1];
    inTransaction(
        transaction ->
            outcome[0] = process().inbox(consumer).process(transaction, received, () -> {}));
    return outcome[0] == InboxOutcome.PROCESSED;
  }

  private UUID idOf(int index) {
    return all.get(index).message().id();
  }

  @Test
  final void handlerPassesOverWhatItKnowsUnlessItIsToProcessItAgain() {
    settled(3);
    Request skipping = replay(ReplayRange.positions(1, 2), false);
    requests().ask(skipping);
    assertThat(isProcessed(OF_MAIL, all.get(0))).isFalse();
    publish();
    assertThat(later(skipping).result())
        .isEqualTo(
            "2 messages: 2 published again; handlers have processed 2 of them, and skip them");
    Request again = replay(ReplayRange.positions(1, 2), true);
    requests().ask(again);
    assertThat(due("mail")).hasSize(2);
    assertThat(isProcessed(OF_MAIL, all.get(0))).isTrue();
    assertThat(isProcessed(OF_MAIL, all.get(0))).isFalse();
    assertThat(isProcessed(OF_MAIL, all.get(2))).isFalse();
    publish();
    RequestStatus end = later(again);
    assertThat(end.state()).isEqualTo(RequestState.DONE);
    assertThat(end.result()).endsWith("; handlers had processed 2 of them, and process them again");
  }

  @Test
  final void whatAHandlerHasForgottenIsProcessedAgainAndTheResultSaysSo() {
    settled(2);
    LedgerMessage first = all.get(0);
    Received forgotten = Received.ofLedger(SUBSCRIPTION, 1, first.message());
    requests()
        .ask(
            new Verb.Forget(OF_MAIL, Set.of(forgotten.inboxId()))
                .by("anna", "it was mailed wrongly"));
    Request replay = replay(ReplayRange.positions(1, 2), false);
    requests().ask(replay);
    assertThat(isProcessed(OF_MAIL, first)).isTrue();
    assertThat(isProcessed(OF_MAIL, all.get(1))).isFalse();
    publish();
    assertThat(later(replay).result())
        .endsWith("; handlers have processed 1 of them, and skip them");
  }

  @Test
  final void onlyTheHandlerOfTheRouteProcessesAgain() {
    settled(1);
    remember("auditors", SUBSCRIPTION, all.get(0));
    RequestStatus running = requests().ask(replay(ReplayRange.ALL, true));
    assertThat(running.result()).contains("handlers had processed 2 of them");
    assertThat(due("mail")).hasSize(1);
    assertThat(due("stock")).isEmpty();
    assertThat(isProcessed(SUBSCRIPTION + "/stock", all.get(0))).isFalse();
    assertThat(isProcessed("auditors", all.get(0))).isTrue();
  }

  @Test
  final void whatIsParkedInTheRouteIsNotForgotten() {
    settled(2);
    requests().ask(replay(ReplayRange.positions(1, 1), false));
    RequestStatus second = requests().ask(replay(ReplayRange.ALL, true));
    assertThat(second.result()).startsWith("1 message").contains("had processed 1 of");
    assertThat(isProcessed(OF_MAIL, all.get(0))).isFalse();
    assertThat(isProcessed(OF_MAIL, all.get(1))).isTrue();
  }

  @Test
  final void replayThatStopsByItselfSaysHowFarItCameAndWhatWasForgotten() {
    settled(4);
    Request request =
        new Verb.Replay(SUBSCRIPTION, "mail", ReplayRange.ALL, new Pace(0, 2), true)
            .by("anna", "the vendor has lost them");
    requests().ask(request);
    List<ParkedMessage> rows = due("mail");
    owner.save(
        ParkedRows.failed(rows.get(0)), ParkedRows.failed(rows.get(1)), removed(rows.get(2)));
    RequestStatus stopped = later(request);
    assertThat(stopped.state()).isEqualTo(RequestState.STOPPED);
    assertThat(stopped.result())
        .isEqualTo(
            "stopped, because 2 have failed again: 4 messages up to position 4:"
                + " 1 published again, 1 taken back, 2 failed and dead letters now;"
                + " handlers had processed 4 of them, and process them again");
    assertThat(stopped.done()).isEqualTo(1);
  }

  private static ParkedChange removed(ParkedMessage row) {
    return new ParkedChange.Remove(row.position(), row.route(), row.message().id());
  }

  @Test
  final void messagesAreTakenUpByTheirIdsInTheOrderOfTheLedger() {
    settled(5);
    List<UUID> ids = List.of(idOf(3), idOf(1), UUID.randomUUID());
    Request request = replay(ReplayRange.ALL.withIds(ids), false);
    requests().ask(request);
    assertThat(due("mail")).extracting(ParkedMessage::position).containsExactly(2L, 4L);
    publish();
    RequestStatus end = later(request);
    assertThat(end.state()).isEqualTo(RequestState.DONE);
    assertThat(end.result())
        .isEqualTo(
            "2 messages: 2 published again; handlers have processed 2 of them, and skip them; 1 of"
                + " 3 ids matched nothing");
  }

  @Test
  final void everythingThatIsGivenNarrowsTheRange() {
    settled(6);
    Instant time = all.get(0).message().time();
    List<UUID> ids = List.of(idOf(0), idOf(1), idOf(2));
    ReplayRange range =
        ReplayRange.positions(2, 6)
            .withIds(ids)
            .withKey("k0")
            .withType(all.get(0).message().type())
            .within(time, time.plusSeconds(3600));
    requests().ask(replay(range, false));
    assertThat(due("mail")).extracting(ParkedMessage::position).containsExactly(3L);
    RequestStatus none =
        requests().ask(replay(ReplayRange.ALL.within(time.minusSeconds(9), time), false));
    assertThat(none.result()).isEqualTo("no message fits that is not parked already");
  }

  @Test
  final void idsAreBounded() {
    List<UUID> most = Stream.generate(UUID::randomUUID).limit(ReplayRange.IDS_MAX).toList();
    settled(1);
    RequestStatus asked = requests().ask(replay(ReplayRange.ALL.withIds(most), true));
    assertThat(asked.state()).isNotEqualTo(RequestState.REFUSED);
    List<UUID> more = Stream.concat(most.stream(), Stream.of(new UUID(0, 1))).toList();
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> ReplayRange.ALL.withIds(more));
    assertCode(
        ErrorCode.INVALID_CONFIGURATION, () -> ReplayRange.ALL.withIds(Collections.emptyList()));
  }

  @Test
  final void killedAtSomeCommitsEachIsForgottenOnce() throws Exception {
    settled(4);
    CommitPoints.tryQuarter(0, this::isForgottenOnceKilledAt);
  }

  @Test
  @Tag(CommitPoints.LONG)
  final void killedAtAnyCommitEachIsForgottenOnce() throws Exception {
    settled(4);
    CommitPoints.tryAll(this::isForgottenOnceKilledAt);
  }

  private boolean isForgottenOnceKilledAt(int commit, boolean after) {
    Request request = replay(ReplayRange.ALL, true);
    boolean isDead = KillingDataSource.ask(dataSource(), request, commit, after);
    requests().ask(request);
    assertThat(due("mail")).hasSize(4);
    all.forEach(each -> assertThat(isProcessed(OF_MAIL, each)).isTrue());
    publish();
    RequestStatus end = later(request);
    assertThat(end.state()).isEqualTo(RequestState.DONE);
    assertThat(end.done()).isEqualTo(4);
    assertThat(end.result()).contains("had processed 4 of them");
    return isDead;
  }
}
