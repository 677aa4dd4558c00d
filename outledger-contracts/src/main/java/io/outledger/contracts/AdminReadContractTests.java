// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.Admin;
import io.outledger.jdbc.admin.Cause;
import io.outledger.jdbc.admin.ConsumerState;
import io.outledger.jdbc.admin.DeclarationState;
import io.outledger.jdbc.admin.Holes;
import io.outledger.jdbc.admin.InstanceState;
import io.outledger.jdbc.admin.LedgerEntry;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.MessageQuery;
import io.outledger.jdbc.admin.MessageSearch;
import io.outledger.jdbc.admin.MessageState;
import io.outledger.jdbc.admin.Overview;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Standing;
import io.outledger.jdbc.admin.Standing.State;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayCause;
import io.outledger.jdbc.spi.RelayCause.About;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.StatusStore.Entry;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an operator reads of the ledger, its readers and its messages. */
abstract class AdminReadContractTests extends AdminContractTests {

  @Test
  final void ledgerThatNobodyReadsSaysSo() {
    assertThat(admin().overview().ledger())
        .matches(ledger -> ledger.isUnread() && ledger.oldest() == null && ledger.newest() == null);
    append("a", "b");
    Overview overview = admin().overview();
    assertThat(overview.ledger().isUnread()).isTrue();
    assertThat(there(overview.ledger().newest()).position())
        .isGreaterThan(there(overview.ledger().oldest()).position())
        .isEqualTo(overview.ledger().lastNumber());
    assertThat(overview.ledger().bytes()).isNotNegative();
    assertThat(overview.subscriptions()).isEmpty();
  }

  @Test
  final void subscriptionsTellHowFarTheyAreAndWhatTheyHaveParked() {
    append("a", "b", "c");
    Owner owner = owner();
    List<LedgerMessage> messages = messagesOf(owner);
    settle(owner);
    owner.save(
        ParkedRows.park(messages.get(0), "mail", ParkedState.DEAD, null),
        ParkedRows.park(messages.get(1), "mail", ParkedState.HELD, null));
    append("d", "e");
    assertThat(admin().overview().ledger().isUnread()).isFalse();
    SubscriptionState state = admin().subscriptions().get(0);
    assertThat(state.name()).isEqualTo(SUBSCRIPTION);
    assertThat(state.isRunning()).isTrue();
    assertThat(state.cursor().high()).isEqualTo(messages.get(2).position());
    assertThat(state.cursor().lowest()).isEqualTo(messages.get(2).position() + 1);
    assertThat(state.cursor().leaseUntil()).isNotNull();
    assertThat(state.lag().behind()).isEqualTo(2);
    assertThat(state.parked().dead()).hasToString("1");
    assertThat(state.parked().held()).hasToString("1");
    assertThat(state.parked().retrying()).hasToString("0");
    assertThat(state.relay()).isNull();
  }

  @Test
  final void allCausesAreToldWithTheirRouteTopicAndTime() {
    append("a");
    Owner owner = owner();
    RelayStatus status =
        new RelayStatus(
            RelayStatus.State.WAITING,
            "the broker is down (and 1 more)",
            owner.incarnation(),
            List.of(
                new RelayCause(
                    Cause.Kind.OUTAGE, About.ofRoute("kafka"), "the broker is down", LONG),
                new RelayCause(
                    Cause.Kind.BREAKER,
                    new About("mail", "orders", "order=placed & paid\n", null),
                    "no\nsuch topic",
                    Duration.ZERO)));
    database()
        .status(dataSource())
        .write(List.of(new Entry(new CursorKey(SUBSCRIPTION, 0), "one", status, Duration.ZERO)));
    InstanceState relay = there(admin().subscriptions().get(0).relay());
    assertThat(relay.isOwner()).isTrue();
    assertThat(relay.causes())
        .extracting(Cause::kind, Cause::route, Cause::topic, Cause::type, Cause::text)
        .containsExactly(
            tuple(Cause.Kind.OUTAGE, "kafka", null, null, "the broker is down"),
            tuple(Cause.Kind.BREAKER, "mail", "orders", "order=placed & paid\n", "no\nsuch topic"));
    assertThat(relay.causes().get(0).since()).isEqualTo(relay.since().minus(LONG));
    assertThat(relay.causes().get(1).since()).isEqualTo(relay.since());
    assertThat(admin().overview().instances()).containsExactly(relay);
  }

  @Test
  final void messageIsFoundByTheTimeThatItsIdTells() {
    List<Message> messages =
        IntStream.range(0, 40).mapToObj(i -> message(NOON.plusSeconds(i), "k" + i)).toList();
    append(messages);
    Message wanted = messages.get(17);
    MessageSearch search = admin().message(wanted.id());
    assertThat(there(search.found()).entry().message().key()).isEqualTo("k17");
    assertThat(there(search.found()).entry().message().id()).isEqualTo(wanted.id().toString());
    MessageSearch other = admin().message(idOf(NOON.plusSeconds(17)));
    assertThat(other.found()).isNull();
    assertThat(other.from()).isLessThanOrEqualTo(there(search.found()).entry().position());
    assertThat(other.to()).isGreaterThanOrEqualTo(there(search.found()).entry().position());
  }

  @Test
  final void messageWhoseIdTellsNoTimeIsFoundAmongTheLast() {
    Message wanted = StoreContractTests.message("a").copy().id(UUID.randomUUID()).build();
    append(List.of(wanted, StoreContractTests.message("b")));
    assertThat(there(admin().message(wanted.id()).found()).entry().message().key()).isEqualTo("a");
    assertThat(admin().message(UUID.randomUUID()).found()).isNull();
  }

  @Test
  final void emptyLedgerHasNoMessages() {
    assertThat(admin().message(1)).isEmpty();
    assertThat(admin().message(idOf(NOON)).found()).isNull();
    assertThat(admin().messages(MessageQuery.ALL).rows()).isEmpty();
  }

  @Test
  final void payloadComesOnRequestAndNoLongerThanAskedFor() {
    byte[] payload = "0123456789".repeat(200_000).getBytes(UTF_8);
    Message message =
        Message.to("t", "t").payload(payload).header("a", "b & c").header("b", "é").build();
    long position = appended(message).get(0).position();
    assertThat(admin().message(position).orElseThrow().entry().message().payload()).isNull();
    MessageState cut = admin().message(position, 13).orElseThrow();
    assertThat(cut.entry().message().payload()).isEqualTo("0123456789012".getBytes(UTF_8));
    assertThat(cut.entry().message().payloadBytes()).isEqualTo(payload.length);
    assertThat(cut.entry().message().headers()).isEqualTo(message.headers());
    assertThat(there(admin().message(message.id(), 3).found()).entry().message().payload())
        .isEqualTo("012".getBytes(UTF_8));
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> admin().message(position, -1));
  }

  @Test
  final void messageTellsWhereItStandsInEachSubscription() {
    append("a", "b");
    Owner done = owner("a done");
    List<LedgerMessage> messages = messagesOf(done);
    long first = messages.get(0).position();
    settle(done);
    Owner dead = owner("b dead");
    settle(dead);
    dead.save(ParkedRows.park(messages.get(0), "mail", ParkedState.DEAD, null));
    Owner flying = owner("c flying");
    read(flying);
    flying.save(
        flying
            .frontier()
            .readTo(messages.get(1).position())
            .settle(Positions.of(messages.get(1).position())));
    owner("d waiting").release();
    List<Standing> deliveries = admin().message(first).orElseThrow().standings();
    assertThat(deliveries)
        .extracting(Standing::subscription)
        .containsExactly("a done", "b dead", "c flying", "d waiting");
    assertThat(deliveries)
        .extracting(Standing::state)
        .containsExactly(State.PUBLISHED, State.DEAD, State.IN_FLIGHT, State.WAITING);
    assertThat(deliveries.get(1).parked())
        .singleElement()
        .matches(row -> row.attempts() == 1 && "the broker said no".equals(row.error()))
        .matches(row -> row.place().route().equals("mail") && "a".equals(row.message().key()));
  }

  @Test
  final void pagesGoOnWhereTheyStopped() {
    append("a", "b", "a", "b", "a");
    assertThat(keys(MessageQuery.ALL.withLimit(2))).containsExactly("a", "b", "a", "b", "a");
    assertThat(keys(MessageQuery.ALL.withKey("b").withLimit(1))).containsExactly("b", "b");
    Listing<LedgerEntry, Long> newest =
        admin().messages(MessageQuery.ALL.newestFirst().withLimit(2));
    assertThat(newest.rows()).extracting(entry -> entry.message().key()).containsExactly("a", "b");
    assertThat(newest.isMore()).isTrue();
    assertThat(keys(MessageQuery.ALL.newestFirst().withLimit(3))).hasSize(5);
    assertThat(keys(MessageQuery.ALL.withTopic("nothing"))).isEmpty();
    assertThat(keys(MessageQuery.ALL.withType("order.placed"))).hasSize(5);
  }

  @Test
  final void pageThatFindsNothingSaysWhereItStopped() {
    List<Message> many =
        IntStream.range(0, 21_000).mapToObj(i -> Message.to("t", "t").build()).toList();
    append(many);
    append("wanted");
    Listing<LedgerEntry, Long> first = admin().messages(MessageQuery.ALL.withKey("wanted"));
    assertThat(first.rows()).isEmpty();
    assertThat(first.isMore()).isTrue();
    assertThat(keys(MessageQuery.ALL.withKey("wanted"))).containsExactly("wanted");
    assertThat(keys(MessageQuery.ALL.newestFirst().withId(many.get(0).id()))).hasSize(1);
  }

  @Test
  final void timeSpanTakesTheMessagesThatSayThatTheyAreOfIt() {
    append(IntStream.range(0, 30).mapToObj(i -> message(NOON.plusSeconds(i), "k" + i)).toList());
    assertThat(keys(MessageQuery.ALL.within(NOON.plusSeconds(3), NOON.plusSeconds(6))))
        .containsExactly("k3", "k4", "k5");
    assertThat(keys(MessageQuery.ALL.within(NOON.minusSeconds(9), NOON))).isEmpty();
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> MessageQuery.ALL.within(NOON, NOON));
  }

  private List<String> keys(MessageQuery query) {
    List<String> keys = new ArrayList<>();
    Listing<LedgerEntry, Long> page = admin().messages(query);
    page.rows().forEach(entry -> keys.add(String.valueOf(entry.message().key())));
    while (page.next() != null) {
      page = admin().messages(query.after(page.next()));
      page.rows().forEach(entry -> keys.add(String.valueOf(entry.message().key())));
    }
    return keys;
  }

  @Test
  final void consumersTellWhatTheyRemember() {
    inTransaction(
        transaction ->
            database()
                .inbox()
                .insert(transaction, "mail", Set.of(new InboxId("s", "1"), new InboxId("s", "2"))));
    ConsumerState mail = admin().consumers().get(0);
    assertThat(mail.name()).isEqualTo("mail");
    assertThat(mail.remembered()).hasToString("2");
    assertThat(mail.oldest()).isNotNull();
    assertThat(mail.parked().dead()).hasToString("0");
  }

  @Test
  final void openRangesTellWhetherTheyHaveHoles() {
    append("a", "b", "c");
    Owner owner = owner();
    List<Long> at = read(owner);
    long beyond = at.get(2) + 5;
    owner.saveOverflow(
        owner.frontier().readTo(beyond).settle(Positions.of(at.get(1))),
        Positions.range(at.get(2), beyond));
    Holes holes = admin().holes();
    assertThat(holes.ranges())
        .extracting(Holes.OpenRange::first)
        .containsExactly(at.get(0), at.get(2));
    assertThat(holes.ranges()).extracting(Holes.OpenRange::hasHole).containsExactly(false, true);
    assertThat(holes.blockers()).isNotEmpty();
  }

  @Test
  final void declarationsAreListedOfEachOwner() {
    Declaration mail = Declaration.everything("mail");
    open(SUBSCRIPTION, Start.EARLIEST).declare(new Declaring(Set.of(mail), Set.of()));
    assertThat(admin().declarations())
        .extracting(DeclarationState::declaration)
        .containsExactly(mail);
    assertThat(admin().declarations(Reader.subscription(SUBSCRIPTION))).hasSize(1);
    assertThat(admin().declarations(Reader.consumer(SUBSCRIPTION))).isEmpty();
  }

  @Test
  final void doorOfAClosedOneIsClosed() {
    Admin admin = admin();
    outledger().close();
    assertCode(ErrorCode.CLOSED, admin::overview);
  }
}
