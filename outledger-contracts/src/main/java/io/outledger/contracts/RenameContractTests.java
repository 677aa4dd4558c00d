// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.DeclarationState;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.relay.Relay;
import io.outledger.store.Declaring;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A subscription is given another name, and goes on where it stood. */
abstract class RenameContractTests extends RenamingContractTests {

  @Test
  final void itGoesOnWhereItStood() {
    append("a", "b", "c", "d", "e");
    Owner owner = owner();
    List<Long> all = read(owner);
    Positions settled = Positions.of(all.get(0), all.get(3), all.get(4));
    owner.saveOverflow(
        owner.frontier().readTo(all.get(4)).settle(settled), Positions.of(all.get(2)));
    owner.save(ParkedRows.park(all.get(0), "mail", "a", ParkedState.DEAD, null));
    Frontier before = owner.frontier();
    owner.release();
    RequestStatus done = rename(SUBSCRIPTION, NEW);
    assertThat(done.state()).isEqualTo(RequestState.DONE);
    assertThat(done.result()).isEqualTo("subscription \"contract\" is called \"renamed\" now");
    Owner next = owner(NEW);
    assertThat(next.frontier()).isEqualTo(before);
    assertThat(read(next)).containsExactly(all.get(1), all.get(2));
    assertThat(next.grant().blocked()).hasSize(1);
    assertThat(subscriptions(SUBSCRIPTION)).isZero();
    assertThat(count("SELECT COUNT(*) FROM outledger_parked WHERE subscription = 'renamed'"))
        .isEqualTo(1);
    next.saveOverflow(next.frontier().settle(Positions.of(all.get(1), all.get(2))), Positions.NONE);
    assertThat(read(next)).isEmpty();
  }

  @Test
  final void pausesAndDeclarationsGoAlong() {
    Owner owner = owner();
    owner.store().declare(new Declaring(Set.of(MAIL), Set.of()));
    ask(new Verb.Pause(SUBSCRIPTION, PauseScope.topic("orders")));
    owner.release();
    rename(SUBSCRIPTION, NEW);
    RelayStore store = open(NEW, Start.EARLIEST);
    assertThat(store.declarations().current()).containsOnlyKeys(MAIL);
    assertThat(store.pauses().current()).containsOnlyKeys(PauseScope.topic("orders"));
    assertThat(process().admin().declarations(Reader.subscription(SUBSCRIPTION)))
        .allMatch(DeclarationState::isEnded);
    assertThat(process().admin().declarations(Reader.subscription(NEW))).hasSize(1);
  }

  @Test
  final void itsHandlersKnowWhatTheyHaveProcessed() {
    append("a", "b");
    Owner owner = owner();
    List<LedgerMessage> all = messagesOf(owner);
    remember(SUBSCRIPTION, all.get(0));
    owner.release();
    rename(SUBSCRIPTION, NEW);
    assertThat(isNew(process(), NEW, all.get(0))).isFalse();
    assertThat(isNew(process(), NEW, all.get(1))).isTrue();
    assertThat(
            count(
                "SELECT COUNT(*) FROM outledger_processed WHERE consumer = 'renamed/mail'"
                    + " AND subscription = 'renamed' AND position IN (1, 2)"))
        .isEqualTo(2);
  }

  /** A process that was frozen in a handler, and knows the name since before. */
  @Test
  final void whatAHandlerCommitsInTheOldNameIsKnownInTheNewOne() {
    append("a", "b", "c");
    Owner owner = owner();
    List<LedgerMessage> all = messagesOf(owner);
    assertThat(isNew(process(), SUBSCRIPTION, all.get(0))).isTrue();
    assertThat(isNew(process(), SUBSCRIPTION, all.get(1))).isTrue();
    owner.release();
    try (Outledger other = Outledger.builder(dataSource()).withoutRetention().build()) {
      other.requests().ask(Verb.Rename.subscription(SUBSCRIPTION, NEW).by(WHO, WHY));
      assertThat(isNew(process(), SUBSCRIPTION, all.get(2))).isTrue();
      assertThat(isNew(other, NEW, all.get(2))).isFalse();
    }
  }

  @Test
  final void moveAndDeletionFindWhatWasProcessedInTheOldName() {
    append("a", "b");
    Owner owner = owner();
    List<LedgerMessage> all = messagesOf(owner);
    remember(SUBSCRIPTION, all.get(0));
    settle(owner);
    owner.release();
    rename(SUBSCRIPTION, NEW);
    isNew(process(), NEW, all.get(1));
    assertThat(process().subscriptions().move(NEW, Start.EARLIEST).known()).isEqualTo(2);
    settle(owner(NEW));
    assertThat(process().subscriptions().moveAndProcessAgain(NEW, Start.at(2)).forgotten())
        .isEqualTo(1);
    process().subscriptions().delete(NEW);
    assertThat(count("SELECT COUNT(*) FROM outledger_inbox")).isZero();
  }

  /** As with a bean that is renamed: 300 messages were published twice once. */
  @Test
  final void relayThatHasTheNewNamesHandlesNothingTwice() throws InterruptedException {
    List<String> handled = new ArrayList<>();
    append("a", "b");
    drain(SUBSCRIPTION, "mail", handled);
    rename(SUBSCRIPTION, NEW);
    ask(Verb.Rename.route(NEW, "mail", "post"));
    append("c");
    assertCode(ErrorCode.RENAMED, () -> relay(SUBSCRIPTION, "mail", handled).step());
    assertCode(ErrorCode.RENAMED, () -> relay(NEW, "mail", handled).step());
    drain(NEW, "post", handled);
    assertThat(handled).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(count("SELECT COUNT(*) FROM outledger_parked")).isZero();
  }

  private void drain(String subscription, String handler, List<String> handled)
      throws InterruptedException {
    try (Relay relay = relay(subscription, handler, handled)) {
      relay.drain(LONG);
    }
  }

  private Relay relay(String subscription, String handler, List<String> handled) {
    return process()
        .relay(subscription)
        .handler(
            handler,
            (connection, message) -> {
              synchronized (handled) {
                handled.add(message.key());
              }
            })
        .build();
  }

  @Test
  final void ownedOneIsNotRenamed() {
    append("a");
    Owner owner = owner();
    assertRefused(ErrorCode.SUBSCRIPTION_RUNNING, rename(SUBSCRIPTION, NEW));
    settle(owner);
    assertThat(subscriptions(NEW)).isZero();
  }

  @Test
  final void ownerWhoseLeaseRanOutIsFenced() {
    append("a");
    Owner owner = owner();
    owner.renew(Duration.ofMillis(1));
    fixture().letPass(Duration.ofMillis(20));
    assertThat(rename(SUBSCRIPTION, NEW).state()).isEqualTo(RequestState.DONE);
    assertThat(owner.trySave(owner.frontier())).isInstanceOf(SaveOutcome.Fenced.class);
    assertThat(subscriptions(SUBSCRIPTION)).isZero();
  }

  @Test
  final void unknownOneAndTakenNamesAreRefused() {
    assertRefused(ErrorCode.UNKNOWN_SUBSCRIPTION, rename("nobody", NEW));
    owner().release();
    owner("other").release();
    RequestStatus taken = rename(SUBSCRIPTION, "other");
    assertRefused(ErrorCode.INVALID_CONFIGURATION, taken);
    assertThat(taken.result()).startsWith("there is a subscription \"other\" already");
    open("declared", Start.EARLIEST).declare(new Declaring(Set.of(MAIL), Set.of()));
    assertRefused(ErrorCode.INVALID_CONFIGURATION, rename(SUBSCRIPTION, "declared"));
    append("a");
    remember("processed", messagesOf(owner("other")).get(0));
    assertRefused(ErrorCode.INVALID_CONFIGURATION, rename(SUBSCRIPTION, "processed"));
    assertThat(subscriptions(SUBSCRIPTION)).isEqualTo(1);
  }

  @Test
  final void namesAreCheckedAtTheDoor() {
    assertCode(ErrorCode.INVALID_NAME, () -> Verb.Rename.subscription(SUBSCRIPTION, " a"));
    assertCode(ErrorCode.INVALID_NAME, () -> Verb.Rename.subscription("", NEW));
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> Verb.Rename.subscription("a", "a"));
    assertCode(
        ErrorCode.INVALID_CONFIGURATION,
        () -> new Verb.Rename(Reader.consumer("a"), "route", "other"));
  }

  @Test
  final void killedAtSomeCommitsItIsRenamedOnce() throws Exception {
    CommitPoints.tryQuarter(0, this::isRenamedOnceKilledAt);
  }

  @Test
  @Tag(CommitPoints.LONG)
  final void killedAtAnyCommitItIsRenamedOnce() throws Exception {
    CommitPoints.tryAll(this::isRenamedOnceKilledAt);
  }

  private boolean isRenamedOnceKilledAt(int commit, boolean after) {
    String from = "s" + UUID.randomUUID();
    String to = "t" + UUID.randomUUID();
    append("a");
    Owner owner = owner(from);
    remember(from, messagesOf(owner).get(0));
    settle(owner);
    owner.save(ParkedRows.park(1, "mail", "a", ParkedState.DEAD, null));
    owner.release();
    Request request = Verb.Rename.subscription(from, to).by(WHO, WHY);
    boolean isDead = KillingDataSource.ask(dataSource(), request, commit, after);
    assertThat(subscriptions(from) + subscriptions(to)).isEqualTo(1);
    RequestStatus end = requests().ask(request);
    assertThat(end.state()).isEqualTo(RequestState.DONE);
    assertThat(subscriptions(from)).isZero();
    assertThat(subscriptions(to)).isEqualTo(1);
    Owner next = owner(to);
    assertThat(read(next)).isEmpty();
    assertThat(isNew(process(), to, messagesOf(next).get(0))).isFalse();
    assertThat(count("SELECT COUNT(*) FROM outledger_parked WHERE subscription = '" + to + "'"))
        .isEqualTo(1);
    next.release();
    return isDead;
  }
}
