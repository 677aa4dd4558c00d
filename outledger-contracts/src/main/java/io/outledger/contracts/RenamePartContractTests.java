// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A route, or a consumer, is given another name, and goes on with what it has. */
abstract class RenamePartContractTests extends DatabaseContractTests {

  private static final String WHO = "anna";
  private static final String WHY = "the bean is called so now";
  private static final Declaration MAIL = Declaration.everything("mail");
  private static final Declaration POST = Declaration.everything("post");

  private static final Duration LOOKS = Duration.ofSeconds(30);

  private Requests requests() {
    return process().requests();
  }

  private RequestStatus ask(Verb verb) {
    return requests().ask(verb.by(WHO, WHY));
  }

  private RequestStatus renameRoute() {
    return ask(Verb.Rename.route(SUBSCRIPTION, "mail", "post"));
  }

  private RequestStatus renameConsumer() {
    return ask(Verb.Rename.consumer("stock", "store"));
  }

  private void assertRefused(ErrorCode code, RequestStatus status) {
    assertThat(status.state()).isEqualTo(RequestState.REFUSED);
    assertThat(status.code()).isEqualTo(code.code());
  }

  private Owner ownerWithMail() {
    Owner owner = owner();
    owner.store().declare(new Declaring(Set.of(MAIL), Set.of()));
    return owner;
  }

  private boolean isNew(Outledger process, String consumer, Received message) {
    InboxOutcome[] outcome = new InboxOutcome[1];
    inTransaction(
        transaction ->
            outcome[0] = process.inbox(consumer).process(transaction, message, () -> {}));
    return outcome[0] == InboxOutcome.PROCESSED;
  }

  private static Received received(String id) {
    return new Received("shop", id, "orders", "k", "t", 1, new byte[0], Map.of(), null, "", "");
  }

  private static Received ofLedger(LedgerMessage message) {
    return Received.ofLedger(SUBSCRIPTION, message.position(), message.message());
  }

  private ReceiverStore receiving(String consumer) {
    return ((ParkingHandler) process().inbox(consumer).handler((connection, message) -> {}))
        .store();
  }

  private static void park(ReceiverStore store, Received message) {
    store.park(message, new ParkedFailure(ParkedState.RETRYING, true, 1, "no", Duration.ZERO), 100);
  }

  /** Parks in the name that was given up, as a transaction does that has looked at it before. */
  private void parkAsOneThatWasAtIt(Received message) {
    try (Outledger other = Outledger.builder(dataSource()).withoutRetention().build()) {
      BatchHandler handler = other.inbox("store").handler((connection, received) -> {});
      park(((ParkingHandler) handler).store(), message);
    }
    execute(
        "UPDATE outledger_inbox_parked SET consumer = 'stock' WHERE message_id = '"
            + message.inboxId().id()
            + "'");
  }

  @Test
  final void routeGoesOnWithWhatIsParkedPausedAndDeclared() {
    Owner owner = ownerWithMail();
    owner.save(
        ParkedRows.park(1, "mail", "a", ParkedState.RETRYING, Duration.ZERO),
        ParkedRows.park(2, "stock", "b", ParkedState.RETRYING, Duration.ZERO));
    ask(new Verb.Pause(SUBSCRIPTION, PauseScope.route("mail")));
    ask(new Verb.Pause(SUBSCRIPTION, PauseScope.topic("stock")));
    owner.release();
    RequestStatus done = renameRoute();
    assertThat(done.result())
        .isEqualTo("route \"mail\" of subscription \"contract\" is called \"post\" now");
    Owner next = owner();
    assertThat(next.store().declarations().current()).containsOnlyKeys(POST);
    assertThat(next.store().pauses().current())
        .containsOnlyKeys(PauseScope.route("post"), PauseScope.topic("stock"));
    assertThat(next.store().due(Set.of("post"), Set.of(), 10))
        .extracting(ParkedMessage::position)
        .containsExactly(1L);
    assertThat(next.store().parkedElsewhere(Set.of("post"))).containsOnlyKeys("stock");
  }

  @Test
  final void handlerOfTheRouteKnowsWhatItHasProcessed() {
    append("a", "b");
    Owner owner = ownerWithMail();
    List<LedgerMessage> all = messagesOf(owner);
    remember(SUBSCRIPTION + "/mail", SUBSCRIPTION, all.get(0));
    remember(SUBSCRIPTION + "/stock", SUBSCRIPTION, all.get(1));
    owner.release();
    renameRoute();
    assertThat(isNew(process(), SUBSCRIPTION + "/post", ofLedger(all.get(0)))).isFalse();
    assertThat(isNew(process(), SUBSCRIPTION + "/post", ofLedger(all.get(1)))).isTrue();
    assertThat(isNew(process(), SUBSCRIPTION + "/stock", ofLedger(all.get(1)))).isFalse();
  }

  @Test
  final void openRequestsNameTheRouteAsItIsCalledNow() {
    Owner owner = ownerWithMail();
    owner.save(ParkedRows.park(1, "mail", "a", ParkedState.DEAD, null));
    Which one = new Which.Place(new ParkedPlace("mail", 1, StoreContractTests.idAt(1)));
    Reader reader = Reader.subscription(SUBSCRIPTION);
    Request retry = new Verb.Retry(reader, one, Pace.UNLIMITED).by(WHO, WHY);
    requests().ask(retry);
    owner.release();
    renameRoute();
    Which renamed = new Which.Place(new ParkedPlace("post", 1, StoreContractTests.idAt(1)));
    fixture().letPass(Duration.ofSeconds(1));
    RequestStatus status =
        requests()
            .ask(new Verb.Retry(reader, renamed, Pace.UNLIMITED).by(WHO, WHY).withId(retry.id()));
    assertThat(status.state()).isEqualTo(RequestState.RUNNING);
    assertThat(owner().store().due(Set.of("post"), Set.of(), 10)).hasSize(1);
  }

  @Test
  final void instanceWithTheOldRouteIsRefused() {
    Owner owner = ownerWithMail();
    owner.release();
    renameRoute();
    RelayStore old = open(SUBSCRIPTION, Start.EARLIEST);
    assertCode(ErrorCode.RENAMED, () -> old.declare(new Declaring(Set.of(MAIL), Set.of())));
    assertCode(ErrorCode.RENAMED, () -> old.declareAgain(Set.of(MAIL)));
    old.declare(new Declaring(Set.of(POST), Set.of()));
    assertThat(old.declarations().current()).containsOnlyKeys(POST);
  }

  @Test
  final void whoLooksWhileARouteIsRenamedDoesNotTakeTheLease() {
    Owner owner = ownerWithMail();
    owner.release();
    RelayStore looking = open(SUBSCRIPTION, Start.EARLIEST);
    io.outledger.store.CursorRow seen = looking.look();
    renameRoute();
    assertThat(looking.takeOver(seen, UUID.randomUUID(), LONG, () -> {})).isEmpty();
  }

  @Test
  final void routesThatAreUnknownOwnedOrTakenAreRefused() {
    Owner owner = ownerWithMail();
    owner.store().declare(new Declaring(Set.of(MAIL, Declaration.everything("stock")), Set.of()));
    assertRefused(ErrorCode.SUBSCRIPTION_RUNNING, renameRoute());
    owner.release();
    assertRefused(
        ErrorCode.UNKNOWN_SUBSCRIPTION, ask(Verb.Rename.route(SUBSCRIPTION, "no", "post")));
    assertRefused(
        ErrorCode.INVALID_CONFIGURATION, ask(Verb.Rename.route(SUBSCRIPTION, "mail", "stock")));
    assertRefused(ErrorCode.UNKNOWN_SUBSCRIPTION, ask(Verb.Rename.route("no", "mail", "post")));
  }

  @Test
  final void routeIsRenamedBack() {
    Owner owner = ownerWithMail();
    owner.save(ParkedRows.park(1, "mail", "a", ParkedState.RETRYING, Duration.ZERO));
    owner.release();
    renameRoute();
    assertThat(ask(Verb.Rename.route(SUBSCRIPTION, "post", "mail")).state())
        .isEqualTo(RequestState.DONE);
    Owner back = ownerWithMail();
    assertThat(back.store().due(Set.of("mail"), Set.of(), 10)).hasSize(1);
    assertThat(back.store().declarations().current()).containsOnlyKeys(MAIL);
  }

  @Test
  final void consumerGoesOnWithWhatItRemembersParksAndDeclares() throws Exception {
    ReceiverStore old = receiving("stock");
    isNew(process(), "stock", received("1"));
    park(old, received("2"));
    RequestStatus done = renameConsumer();
    assertThat(done.result())
        .isEqualTo(
            "consumer \"stock\" is called \"store\" now; parked messages that came along: 1. Its"
                + " broker knows it as \"stock\": keep its group or subscription where you have"
                + " set one");
    assertThat(isNew(process(), "store", received("1"))).isFalse();
    assertThat(isNew(process(), "store", received("3"))).isTrue();
    ReceiverStore next = receiving("store");
    assertThat(next.known(List.of(received("1"), received("2"), received("9")))).hasSize(2);
    assertThat(next.due(10)).hasSize(1);
    assertThat(next.retry(next.due(10).get(0))).isTrue();
    assertThat(isNew(process(), "store", received("2"))).isFalse();
  }

  @Test
  final void memberThatGoesOnInTheOldNameWritesTheSame() {
    isNew(process(), "stock", received("1"));
    isNew(process(), "stock", received("2"));
    try (Outledger other = Outledger.builder(dataSource()).withoutRetention().build()) {
      other.requests().ask(Verb.Rename.consumer("stock", "store").by(WHO, WHY));
      assertThat(isNew(process(), "stock", received("3"))).isTrue();
      assertThat(isNew(other, "store", received("3"))).isFalse();
      parkAsOneThatWasAtIt(received("4"));
      RequestStatus again =
          other.requests().ask(Verb.Rename.consumer("stock", "store").by(WHO, WHY));
      assertThat(again.result()).contains("came along: 1.");
      assertThat(count("SELECT COUNT(*) FROM outledger_inbox_parked WHERE consumer = 'store'"))
          .isEqualTo(1);
    }
  }

  @Test
  final void memberThatStartsInTheOldNameIsRefused() throws Exception {
    isNew(process(), "stock", received("1"));
    renameConsumer();
    try (Outledger started = Outledger.builder(dataSource()).withoutRetention().build()) {
      assertCode(ErrorCode.RENAMED, () -> isNew(started, "stock", received("2")));
      ReceiverStore old =
          ((ParkingHandler) started.inbox("stock").handler((connection, message) -> {})).store();
      assertThatExceptionOfType(OutledgerException.class)
          .isThrownBy(() -> old.process(List.of(received("2")), 10))
          .matches(e -> e.code().isOutage(), "no message is at fault")
          .withMessageContaining("consumer \"stock\" was renamed to \"store\" by anna");
    }
    assertThat(count("SELECT COUNT(*) FROM outledger_inbox")).isEqualTo(1);
  }

  /** A message of its key is parked, which it does not see any more. */
  @Test
  final void memberThatRunsInTheOldNameProcessesAndParksNothingMore() throws Exception {
    ReceiverStore old = receiving("stock");
    old.process(List.of(received("0")), 10);
    park(old, received("1"));
    renameConsumer();
    for (int i = 0; i < 2; i++) {
      assertThatExceptionOfType(OutledgerException.class)
          .isThrownBy(() -> old.process(List.of(received("2")), 10))
          .matches(e -> e.code() == ErrorCode.RENAMED, "renamed");
      assertCode(ErrorCode.RENAMED, () -> park(old, received("3")));
      assertCode(ErrorCode.RENAMED, () -> old.carryOutRequests(10));
    }
    assertThat(count("SELECT COUNT(*) FROM outledger_inbox")).isEqualTo(1);
    assertThat(parkedOf(Reader.consumer("store"))).hasSize(1);
    assertThat(count("SELECT COUNT(*) FROM outledger_inbox_parked")).isEqualTo(1);
  }

  @Test
  final void brokerKnowsAConsumerByTheNameThatItHadFirst() {
    assertThat(process().inbox("stock").brokerName()).isEqualTo("stock");
    park(receiving("stock"), received("1"));
    renameConsumer();
    ask(Verb.Rename.consumer("store", "depot"));
    assertThat(process().inbox("depot").brokerName()).isEqualTo("stock");
    ask(Verb.Rename.consumer("depot", "stock"));
    assertThat(process().inbox("stock").brokerName()).isEqualTo("stock");
  }

  @Test
  final void nameOfAConsumerIsFreeAgainOnceNothingIsKeptInIt() {
    isNew(process(), "stock", received("1"));
    try (Outledger early = Outledger.builder(dataSource()).withoutRetention().build()) {
      isNew(early, "store", received("2"));
    }
    RequestStatus taken = renameConsumer();
    assertRefused(ErrorCode.INVALID_CONFIGURATION, taken);
    assertThat(taken.result())
        .startsWith("the name of consumer \"store\" is taken; nothing was renamed")
        .contains("retention has removed what is remembered");
    ask(new Verb.Forget("store", Set.of(received("2").inboxId())));
    assertThat(renameConsumer().state()).isEqualTo(RequestState.DONE);
    assertThat(isNew(process(), "store", received("1"))).isFalse();
    assertThat(isNew(process(), "store", received("2"))).isTrue();
  }

  @Test
  final void whatIsErasedInAnOldNameIsKnownInTheNewOne() {
    isNew(process(), "stock", received("1"));
    renameConsumer();
    parkAsOneThatWasAtIt(received("2"));
    RequestStatus erased = requests().ask(Verb.Erase.key("k").by(WHO, WHY), LOOKS);
    assertThat(erased.result()).contains("1 parked by consumers");
    assertThat(isNew(process(), "store", received("2"))).isFalse();
  }

  @Test
  final void consumersThatAreUnknownTakenOrOfARouteAreRefused() {
    assertRefused(ErrorCode.UNKNOWN_SUBSCRIPTION, renameConsumer());
    isNew(process(), "stock", received("1"));
    isNew(process(), "store", received("1"));
    assertRefused(ErrorCode.INVALID_CONFIGURATION, renameConsumer());
    append("a");
    Owner owner = ownerWithMail();
    remember(SUBSCRIPTION + "/mail", SUBSCRIPTION, messagesOf(owner).get(0));
    RequestStatus ofRoute = ask(Verb.Rename.consumer(SUBSCRIPTION + "/mail", "free"));
    assertRefused(ErrorCode.INVALID_CONFIGURATION, ofRoute);
    assertThat(ofRoute.result()).endsWith("Rename the route");
  }

  @Test
  final void consumerIsRenamedBack() {
    isNew(process(), "stock", received("1"));
    renameConsumer();
    assertThat(ask(Verb.Rename.consumer("store", "stock")).state()).isEqualTo(RequestState.DONE);
    try (Outledger started = Outledger.builder(dataSource()).withoutRetention().build()) {
      assertThat(isNew(started, "stock", received("1"))).isFalse();
      assertThat(isNew(started, "stock", received("2"))).isTrue();
    }
  }

  @Test
  final void killedAtSomeCommitsAConsumerIsRenamedOnce() throws Exception {
    CommitPoints.tryQuarter(0, this::isRenamedOnceKilledAt);
  }

  @Test
  @Tag(CommitPoints.LONG)
  final void killedAtAnyCommitAConsumerIsRenamedOnce() throws Exception {
    CommitPoints.tryAll(this::isRenamedOnceKilledAt);
  }

  private boolean isRenamedOnceKilledAt(int commit, boolean after) {
    String from = "s" + UUID.randomUUID();
    String to = "t" + UUID.randomUUID();
    isNew(process(), from, received("1"));
    park(receiving(from), received("2"));
    Request request = Verb.Rename.consumer(from, to).by(WHO, WHY);
    boolean isDead = KillingDataSource.ask(dataSource(), request, commit, after);
    RequestStatus end = requests().ask(request);
    assertThat(end.state()).isEqualTo(RequestState.DONE);
    assertThat(end.result()).contains("came along: 1.");
    assertThat(isNew(process(), to, received("1"))).isFalse();
    assertThat(process().admin().parked(ParkedQuery.of(Reader.consumer(to))).rows()).hasSize(1);
    return isDead;
  }
}
