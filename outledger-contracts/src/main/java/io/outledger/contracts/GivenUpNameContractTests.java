// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.store.Declaring;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names that were given up: who has them yet, what was asked for in them, and who gets them. */
abstract class GivenUpNameContractTests extends RenamingContractTests {

  @Test
  final void oldNameDoesNotComeBackByItself() {
    Owner owner = owner();
    RelayStore standby = open(SUBSCRIPTION, Start.EARLIEST);
    standby.look();
    owner.release();
    rename(SUBSCRIPTION, NEW);
    RelayStore started = open(SUBSCRIPTION, Start.EARLIEST);
    for (RelayStore old : List.of(standby, started)) {
      assertCode(ErrorCode.RENAMED, old::look);
      assertCode(ErrorCode.RENAMED, () -> old.declare(new Declaring(Set.of(MAIL), Set.of())));
    }
    assertThat(subscriptions(SUBSCRIPTION)).isZero();
    assertThat(subscriptions(NEW)).isEqualTo(1);
  }

  @Test
  final void itIsRenamedBack() {
    append("a", "b");
    Owner owner = owner();
    owner.store().declare(new Declaring(Set.of(MAIL), Set.of()));
    List<LedgerMessage> all = messagesOf(owner);
    remember(SUBSCRIPTION, all.get(0));
    settle(owner);
    owner.release();
    rename(SUBSCRIPTION, NEW);
    assertRefused(ErrorCode.INVALID_CONFIGURATION, renamedToAGivenUpName());
    assertThat(rename(NEW, SUBSCRIPTION).state()).isEqualTo(RequestState.DONE);
    Owner back = owner();
    back.store().declare(new Declaring(Set.of(MAIL), Set.of()));
    assertThat(read(back)).isEmpty();
    assertThat(isNew(process(), SUBSCRIPTION, all.get(0))).isFalse();
    assertCode(ErrorCode.RENAMED, () -> open(NEW, Start.EARLIEST).look());
  }

  private RequestStatus renamedToAGivenUpName() {
    owner("third").release();
    return rename("third", SUBSCRIPTION);
  }

  @Test
  final void deletionOfTheOldNameLetsItBeUsedForANewOne() {
    append("a");
    Owner owner = owner();
    List<LedgerMessage> all = messagesOf(owner);
    remember(SUBSCRIPTION, all.get(0));
    settle(owner);
    owner.release();
    rename(SUBSCRIPTION, NEW);
    RequestStatus freed = ask(new Verb.Delete(SUBSCRIPTION));
    assertThat(freed.state()).isEqualTo(RequestState.DONE);
    assertThat(subscriptions(NEW)).isEqualTo(1);
    Owner fresh = owner();
    assertThat(read(fresh)).containsExactly(1L);
    try (Outledger started = Outledger.builder(dataSource()).withoutRetention().build()) {
      assertThat(isNew(started, SUBSCRIPTION, all.get(0))).isTrue();
      assertThat(isNew(started, NEW, all.get(0))).isFalse();
    }
  }

  /** A version with the new name was started too early, and was stopped. */
  @Test
  final void nameIsFreeAgainOnceItsSubscriptionIsDeleted() {
    append("a", "b");
    Owner owner = owner();
    List<LedgerMessage> all = messagesOf(owner);
    remember(SUBSCRIPTION, all.get(0));
    owner.release();
    Owner early = owner(NEW);
    remember(NEW, all.get(1));
    early.release();
    RequestStatus taken = rename(SUBSCRIPTION, NEW);
    assertRefused(ErrorCode.INVALID_CONFIGURATION, taken);
    assertThat(taken.result()).contains("stop that version, delete this subscription");
    ask(new Verb.Delete(NEW));
    assertThat(rename(SUBSCRIPTION, NEW).state()).isEqualTo(RequestState.DONE);
    try (Outledger started = Outledger.builder(dataSource()).withoutRetention().build()) {
      assertThat(isNew(started, NEW, all.get(0))).isFalse();
      assertThat(isNew(started, NEW, all.get(1))).isTrue();
    }
  }

  @Test
  final void ofTwoOpenRenamesOneIsRefused() {
    owner().release();
    Request first = Verb.Rename.subscription(SUBSCRIPTION, NEW).by(WHO, WHY);
    Request second = Verb.Rename.subscription(SUBSCRIPTION, "third").by(WHO, WHY);
    inTransaction(
        transaction -> {
          database().requests().insert(transaction, first);
          database().requests().insert(transaction, second);
        });
    assertThat(requests().ask(first).state()).isEqualTo(RequestState.DONE);
    RequestStatus refused = requests().ask(second);
    assertRefused(ErrorCode.RENAMED, refused);
    assertThat(refused.result())
        .startsWith("subscription contract was renamed to \"renamed\"; nothing was renamed");
    assertThat(subscriptions(NEW)).isEqualTo(1);
  }

  @Test
  final void whatIsAskedForInAnOldNameIsAboutWhoHasTheNewOne() {
    Owner owner = owner();
    owner.store().declare(new Declaring(Set.of(MAIL), Set.of()));
    owner.release();
    rename(SUBSCRIPTION, "between");
    rename("between", NEW);
    ask(Verb.Rename.route(NEW, "mail", "post"));
    RequestStatus paused = ask(new Verb.Pause(SUBSCRIPTION, PauseScope.route("mail")));
    assertThat(paused.state()).as(paused.result()).isEqualTo(RequestState.DONE);
    assertThat(paused.reader()).isEqualTo(Reader.subscription(NEW));
    assertThat(open(NEW, Start.EARLIEST).pauses().current())
        .containsOnlyKeys(PauseScope.route("post"));
  }

  @Test
  final void requestThatARenameTookAlongIsAskedForAgain() {
    Owner owner = owner();
    owner.store().declare(new Declaring(Set.of(MAIL), Set.of()));
    owner.save(ParkedRows.park(1, "mail", "x", ParkedState.DEAD, null));
    Which dead = new Which.Selected(ParkedSelection.of(ParkedState.DEAD).withRoute("mail"));
    Request retry =
        new Verb.Retry(Reader.subscription(SUBSCRIPTION), dead, Pace.UNLIMITED).by(WHO, WHY);
    requests().ask(retry);
    owner.release();
    rename(SUBSCRIPTION, NEW);
    ask(Verb.Rename.route(NEW, "mail", "post"));
    assertThat(requests().ask(retry).reader()).isEqualTo(Reader.subscription(NEW));
  }

  @Test
  final void openRequestsGoAlong() {
    append("a", "b", "c");
    Owner owner = owner();
    settle(owner);
    owner.save(ParkedRows.park(1, "x", ParkedState.DEAD, null));
    Which dead = new Which.Selected(ParkedSelection.of(ParkedState.DEAD));
    Reader old = Reader.subscription(SUBSCRIPTION);
    Request retry = new Verb.Retry(old, dead, Pace.UNLIMITED).by(WHO, WHY);
    requests().ask(retry);
    ReplayRange range = ReplayRange.positions(2, 3);
    Request replay = new Verb.Replay(SUBSCRIPTION, "", range, new Pace(1, 0)).by(WHO, WHY);
    requests().ask(replay);
    owner.release();
    RequestStatus done = rename(SUBSCRIPTION, NEW);
    assertThat(done.reader()).isEqualTo(old);
    Reader now = Reader.subscription(NEW);
    assertThat(requests().get(retry.id()).orElseThrow().reader()).isEqualTo(now);
    Owner next = owner(NEW);
    assertThat(next.due()).isNotEmpty();
    Verb same = new Verb.Replay(NEW, "", range, new Pace(1, 0));
    RequestStatus running = later(same.by(WHO, WHY).withId(replay.id()));
    for (int look = 0; look < 5 && running.done() + next.due().size() < 3; look++) {
      running = later(same.by(WHO, WHY).withId(replay.id()));
    }
    assertThat(next.due()).extracting(ParkedMessage::position).contains(1L, 2L, 3L);
  }
}
