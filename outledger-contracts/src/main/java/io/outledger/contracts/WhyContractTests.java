// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.Cause;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Reason;
import io.outledger.jdbc.admin.Reason.Kind;
import io.outledger.jdbc.admin.Revision;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Why;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayCause;
import io.outledger.jdbc.spi.RelayCause.About;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.RetentionStore.Step;
import io.outledger.jdbc.spi.StatusStore.Entry;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.Declaration;
import io.outledger.store.Declaration.Takes;
import io.outledger.store.Declaring;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Why a message waits, and what became of it: a sentence, and its evidence. */
abstract class WhyContractTests extends AdminContractTests {

  private static Kind kind(Why why) {
    assertThat(why.reasons()).as(why.sentence()).hasSize(1);
    assertThat(why.sentence()).isEqualTo(why.reasons().get(0).sentence()).isNotBlank();
    return why.reasons().get(0).kind();
  }

  private void status(RelayStatus status) {
    database()
        .status(dataSource())
        .write(List.of(new Entry(new CursorKey(SUBSCRIPTION, 0), "one", status, Duration.ZERO)));
  }

  private void breakerIsOpenOf(Message message, Owner owner) {
    About about = new About("", message.topic(), message.type(), null);
    RelayCause cause = new RelayCause(Cause.Kind.BREAKER, about, "one at a time", LONG);
    status(new RelayStatus(RelayStatus.State.WAITING, "no", owner.incarnation(), List.of(cause)));
  }

  @Test
  final void ledgerThatNobodyReads() {
    Message message = message(NOON, "a");
    append(List.of(message));
    Why why = admin().why(message.id());
    assertThat(kind(why)).isEqualTo(Kind.UNREAD);
    assertThat(there(why.message()).entry().message().id()).isEqualTo(message.id().toString());
  }

  @Test
  final void subscriptionThatNobodyRuns() {
    owner().release();
    status(new RelayStatus(RelayStatus.State.STOPPED, "OUT-025 gone", null));
    Message message = message(NOON, "a");
    append(List.of(message));
    Why why = admin().why(message.id());
    assertThat(kind(why)).isEqualTo(Kind.NOBODY_RUNS);
    assertThat(why.sentence()).contains("no relay runs it (one was stopped since", "OUT-025 gone");
  }

  @Test
  final void messageThatIsBehindOthers() {
    owner();
    append("a", "b");
    long last = newest();
    Why why = admin().why(last);
    assertThat(kind(why)).isEqualTo(Kind.BEHIND);
    assertThat(why.sentence()).contains("has read up to position");
    assertThat(why.reasons().get(0).readUpTo()).isLessThan(last);
  }

  @Test
  final void destinationThatIsDownAndABreakerOfAnotherTypeThatDoesNotMatter() {
    Owner owner = owner();
    append("a");
    long position = newest();
    RelayCause other =
        new RelayCause(
            Cause.Kind.BREAKER, new About("", "orders", "order.paid", null), "no", Duration.ZERO);
    RelayCause down =
        new RelayCause(
            Cause.Kind.OUTAGE, About.ofRoute(""), "cannot reach the destination: refused", LONG);
    status(new RelayStatus(RelayStatus.State.WAITING, "no", owner.incarnation(), List.of(other)));
    assertThat(kind(admin().why(position))).isEqualTo(Kind.BEHIND);
    status(
        new RelayStatus(
            RelayStatus.State.WAITING, "no", owner.incarnation(), List.of(other, down)));
    Why why = admin().why(position);
    assertThat(kind(why)).isEqualTo(Kind.KEPT_BACK);
    assertThat(why.sentence()).contains("cannot reach the destination: refused");
    assertThat(there(why.reasons().get(0).relay()).causes()).hasSize(2);
    assertThat(why.reasons().get(0).at())
        .isEqualTo(there(why.reasons().get(0).relay()).since().minus(LONG));
    Cause cause = there(why.reasons().get(0).cause());
    assertThat(cause.kind()).isEqualTo(Cause.Kind.OUTAGE);
    assertThat(cause.since()).isEqualTo(why.reasons().get(0).at());
  }

  @Test
  final void whatAnOperatorHasPaused() {
    owner();
    append("a", "b");
    long position = newest();
    pause(PauseScope.key("b"));
    Why why = admin().why(position);
    assertThat(kind(why)).isEqualTo(Kind.PAUSED);
    assertThat(why.sentence()).contains("key b is paused by ann since ", ": vendor down");
    Paused pause = there(why.reasons().get(0).pause());
    assertThat(pause.scope()).isEqualTo(PauseScope.key("b"));
    assertThat(pause.by()).isEqualTo("ann");
    assertThat(pause.since()).isEqualTo(why.reasons().get(0).at());
    assertThat(kind(admin().why(position - 1))).isEqualTo(Kind.BEHIND);
    assertThat(kind(admin().why(SUBSCRIPTION, "b"))).isEqualTo(Kind.PAUSED);
  }

  @Test
  final void pausedOrFailingRouteIsNoReasonForTheMessageOfAnother() {
    Owner owner = owner();
    append("a");
    String type = StoreContractTests.message("a").type();
    owner
        .store()
        .declare(
            new Declaring(
                Set.of(
                    new Declaration("mail", Takes.TYPE, Declaration.type(type, 2)),
                    new Declaration("stock", Takes.TYPE, Declaration.type(type, 1))),
                Set.of()));
    RelayCause mailIsDown =
        new RelayCause(Cause.Kind.OUTAGE, About.ofRoute("mail"), "no mail server", LONG);
    status(
        new RelayStatus(RelayStatus.State.WAITING, "no", owner.incarnation(), List.of(mailIsDown)));
    pause(PauseScope.route("mail"));
    assertThat(kind(admin().why(newest()))).isEqualTo(Kind.BEHIND);
    pause(PauseScope.route("stock"));
    Why why = admin().why(newest());
    assertThat(kind(why)).isEqualTo(Kind.PAUSED);
    assertThat(why.sentence()).contains("route stock is paused by ann");
  }

  private void pause(PauseScope scope) {
    inTransaction(
        transaction ->
            database().pauses().pause(transaction, SUBSCRIPTION, scope, "ann", "vendor down"));
  }

  @Test
  final void messageThatWasReadAndIsNotSettled() {
    append("a", "b");
    Owner owner = owner();
    List<Long> at = read(owner);
    owner.save(owner.frontier().readTo(at.get(1)).settle(Positions.of(at.get(1))));
    assertThat(kind(admin().why(at.get(0)))).isEqualTo(Kind.IN_FLIGHT);
  }

  @Test
  final void messageThatIsHeldBehindAnotherOfItsKey() {
    append("a", "a", "b");
    Owner owner = owner();
    List<LedgerMessage> messages = messagesOf(owner);
    settle(owner);
    owner.save(
        ParkedRows.park(messages.get(0), "", ParkedState.RETRYING, LONG),
        ParkedRows.park(messages.get(1), "", ParkedState.HELD, null),
        ParkedRows.park(messages.get(2), "", ParkedState.DEAD, null));
    Why held = admin().why(messages.get(1).position());
    assertThat(kind(held)).isEqualTo(Kind.HELD);
    assertThat(held.sentence())
        .contains(
            "held behind " + messages.get(0).message().id(),
            "of key a, which failed once with: the broker said no; it is tried again at ");
    assertThat(held.reasons().get(0).parked())
        .extracting(each -> each.place().number(), each -> each.message().key())
        .containsExactly(
            tuple(messages.get(1).position(), "a"), tuple(messages.get(0).position(), "a"));
    assertThat(held.reasons().get(0).parked().get(1).nextAttemptAt())
        .isEqualTo(held.reasons().get(0).at());
    assertThat(held.reasons().get(0).at()).isNotNull();
    assertThat(kind(admin().why(messages.get(0).position()))).isEqualTo(Kind.RETRYING);
    breakerIsOpenOf(messages.get(0).message(), owner);
    Why kept = admin().why(messages.get(0).position());
    assertThat(kind(kept)).isEqualTo(Kind.KEPT_BACK);
    assertThat(kept.sentence())
        .contains("it failed once with: the broker said no; since ", ": one at a time")
        .doesNotContain("it is tried again at ");
    assertThat(kind(admin().why(SUBSCRIPTION, "a"))).isEqualTo(Kind.KEPT_BACK);
    Why behind = admin().why(messages.get(1).position());
    assertThat(kind(behind)).isEqualTo(Kind.HELD);
    assertThat(behind.sentence()).contains("of key a, which failed once", ": one at a time");
    Why dead = admin().why(messages.get(2).position());
    assertThat(kind(dead)).isEqualTo(Kind.DEAD);
    assertThat(dead.sentence()).contains("it is a dead letter: retry or discard it");
  }

  @Test
  final void whatAKeyWaitsFor() {
    append("a", "a", "b", "c");
    Owner owner = owner();
    List<LedgerMessage> messages = messagesOf(owner);
    settle(owner);
    owner.save(
        ParkedRows.park(messages.get(0), "", ParkedState.DEAD, null),
        ParkedRows.park(messages.get(1), "", ParkedState.HELD, null));
    Why why = admin().why(SUBSCRIPTION, "a");
    assertThat(kind(why)).isEqualTo(Kind.DEAD);
    assertThat(why.sentence()).contains("1 of its key are held behind it");
    assertThat(kind(admin().why(SUBSCRIPTION, "b"))).isEqualTo(Kind.NOTHING_WAITS);
    append("b");
    assertThat(kind(admin().why(SUBSCRIPTION, "b"))).isEqualTo(Kind.BEHIND);
    assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> admin().why("other", "a"));
  }

  @Test
  final void messageThatWasPublished() {
    append("a");
    Owner owner = owner();
    List<Long> at = read(owner);
    settle(owner);
    Why why = admin().why(at.get(0));
    assertThat(kind(why)).isEqualTo(Kind.PUBLISHED);
    assertThat(why.sentence()).startsWith("subscription contract: it was published");
  }

  @Test
  final void messageThatRetentionHasRemoved() {
    Message old = message(NOON, "a");
    append(List.of(old, message(NOON.plusSeconds(9), "b")));
    Owner owner = owner();
    List<LedgerMessage> messages = messagesOf(owner);
    settle(owner);
    append("c");
    owner.save(ParkedRows.park(messages.get(0), "", ParkedState.DEAD, null));
    retention().purgeMessages(AT_ONCE, Step.NONE);
    Why why = admin().why(messages.get(0).position());
    assertThat(why.reasons()).extracting(Reason::kind).containsExactly(Kind.REMOVED, Kind.DEAD);
    assertThat(admin().why(old.id()).reasons())
        .extracting(Reason::kind)
        .containsExactly(Kind.REMOVED, Kind.DEAD);
    assertThat(kind(admin().why(messages.get(1).position()))).isEqualTo(Kind.REMOVED);
  }

  @Test
  final void messageThatAConsumerHasReceivedAndParked() throws Exception {
    append("a");
    Owner owner = owner();
    Message published = messagesOf(owner).get(0).message();
    settle(owner);
    ReceiverStore billing =
        ((ParkingHandler) process().inbox("billing").handler((connection, message) -> {})).store();
    billing.process(List.of(), 10);
    UUID foreign = UUID.randomUUID();
    for (String id : List.of(published.id().toString(), foreign.toString())) {
      Received received =
          new Received("shop", id, "t", "a", "t", 1, new byte[0], Map.of(), null, "orders", "");
      billing.park(
          received, new ParkedFailure(ParkedState.DEAD, false, 3, "no", Duration.ZERO), 10);
    }
    Why why = admin().why(published.id());
    assertThat(why.reasons()).extracting(Reason::kind).containsExactly(Kind.PUBLISHED, Kind.DEAD);
    assertThat(why.sentence()).contains("consumer billing: it failed 3 times with: no");
    assertThat(admin().why(foreign).reasons())
        .extracting(Reason::kind)
        .containsExactly(Kind.NOT_FOUND, Kind.DEAD);
  }

  @Test
  final void messageThatIsNotCommittedOrNeverWas() throws SQLException {
    append("a");
    Owner owner = owner();
    settle(owner);
    long next = owner.frontier().high() + 1;
    Message open = message(NOON, "a");
    Kind drawn =
        fixture().writers() == DatabaseFixture.Writers.ONE ? Kind.NOT_FOUND : Kind.NOT_COMMITTED;
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      database().appender().append(connection, List.of(open));
      assertThat(kind(admin().why(next))).isEqualTo(drawn);
      assertThat(kind(admin().why(open.id()))).isEqualTo(Kind.NOT_FOUND);
      connection.rollback();
    }
    assertThat(kind(admin().why(next))).isEqualTo(drawn);
    if (drawn == Kind.NOT_COMMITTED) { // else it is given to the next message
      owner.save(owner.frontier().readTo(next).settle(Positions.of(next)));
      assertThat(kind(admin().why(next))).isEqualTo(Kind.ROLLED_BACK);
    }
    assertThat(kind(admin().why(next + 1))).isEqualTo(Kind.NOT_FOUND);
    assertThat(kind(admin().why(UUID.randomUUID()))).isEqualTo(Kind.NOT_FOUND);
  }

  @Test
  final void whatWasErasedOrRevisedSaysSoAndSoDoesWhatIsHeldBehindIt() {
    append("a", "a");
    Owner owner = owner();
    List<LedgerMessage> all = messagesOf(owner);
    settle(owner);
    owner.save(
        ParkedRows.park(all.get(0), "", ParkedState.DEAD, null),
        ParkedRows.park(all.get(1), "", ParkedState.HELD, null));
    ParkedPlace place = new ParkedPlace("", all.get(0).position(), all.get(0).message().id());
    process()
        .requests()
        .ask(
            new Verb.Revise(SUBSCRIPTION, place, Revision.payload(new byte[] {1}))
                .by("ann", "a comma"));
    Why why = admin().why(all.get(0).position());
    assertThat(kind(why)).isEqualTo(Kind.WITHDRAWN);
    assertThat(why.sentence()).contains("it was erased or revised");
    Why held = admin().why(all.get(1).position());
    assertThat(kind(held)).isEqualTo(Kind.HELD);
    assertThat(held.sentence()).contains("which was erased or revised");
    assertThat(kind(admin().why(SUBSCRIPTION, "a"))).isEqualTo(Kind.WITHDRAWN);
    assertThat(parkedOf(Reader.subscription(SUBSCRIPTION)))
        .extracting(Parked::withdrawn)
        .containsExactly(true, false);
  }
}
