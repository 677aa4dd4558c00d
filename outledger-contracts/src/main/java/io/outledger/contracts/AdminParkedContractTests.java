// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.FailureGroup;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedPoint;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is parked, on either side, in one shape. */
abstract class AdminParkedContractTests extends AdminContractTests {

  private static final Reader SENDING = Reader.subscription(SUBSCRIPTION);
  private static final Reader RECEIVING = Reader.consumer("stock");

  private List<LedgerMessage> messages = List.of();

  private Owner parkAll() {
    append("a", "b", "c", "a");
    Owner owner = owner();
    messages = messagesOf(owner);
    settle(owner);
    owner.save(
        park(0, "mail", ParkedState.DEAD, "java.io.IOException: timeout after 301 ms\n at x"),
        park(1, "mail", ParkedState.RETRYING, "java.io.IOException: timeout after 17 ms"),
        park(1, "stock", ParkedState.DEAD, "no such item 4711"),
        park(3, "mail", ParkedState.HELD, null));
    return owner;
  }

  private ParkedChange park(int index, String route, ParkedState state, @Nullable String error) {
    LedgerMessage origin = messages.get(index);
    return new ParkedChange.Park(
        new ParkedMessage(
            origin.position(),
            route,
            origin.message(),
            state,
            error == null ? 0 : 2,
            true,
            null,
            false,
            0,
            null),
        error,
        state == ParkedState.RETRYING ? LONG : null);
  }

  @Test
  final void messagesOfASubscriptionAreListedInOrder() {
    parkAll();
    Listing<Parked, ParkedPoint> all = admin().parked(ParkedQuery.of(SENDING));
    assertThat(all.isMore()).isFalse();
    assertThat(all.rows())
        .extracting(row -> row.place().route() + " " + row.state())
        .containsExactly("mail DEAD", "mail RETRYING", "stock DEAD", "mail HELD");
    Parked dead = all.rows().get(0);
    assertThat(dead.owner()).isEqualTo(SENDING);
    assertThat(dead.place().number()).isEqualTo(messages.get(0).position());
    assertThat(dead.place().id()).isEqualTo(messages.get(0).message().id());
    assertThat(dead.attempts()).isEqualTo(2);
    assertThat(dead.blocks()).isTrue();
    assertThat(dead.nextAttemptAt()).isNull();
    assertThat(dead.message().key()).isEqualTo("a");
    assertThat(dead.message().payload()).isNull();
    assertThat(dead.message().time()).isEqualTo(messages.get(0).message().time());
    assertThat(all.rows().get(1).nextAttemptAt()).isAfter(all.rows().get(1).parkedAt());
    assertThat(all.rows().get(3).error()).isNull();
  }

  @Test
  final void pageMayEndBetweenTheRoutesOfAPosition() {
    parkAll();
    assertThat(routes(ParkedQuery.of(SENDING).withLimit(1)))
        .containsExactly("mail", "mail", "stock", "mail");
    assertThat(routes(ParkedQuery.of(SENDING).withLimit(3))).hasSize(4);
  }

  @Test
  final void selectionsNarrowTheList() {
    parkAll();
    assertThat(count(ParkedSelection.of(ParkedState.DEAD))).isEqualTo(2);
    assertThat(count(ParkedSelection.ALL.withRoute("stock"))).isEqualTo(1);
    assertThat(count(ParkedSelection.ALL.withKey("a"))).isEqualTo(2);
    assertThat(count(ParkedSelection.ALL.withTopic("orders"))).isEqualTo(4);
    assertThat(count(ParkedSelection.ALL.withType("other"))).isZero();
    assertThat(count(ParkedSelection.ALL.withErrorText("timeout"))).isEqualTo(2);
    assertThat(count(ParkedSelection.ALL.withErrorText("TIMEOUT"))).isZero();
    assertThat(count(ParkedSelection.ALL.withErrorText("%"))).isZero();
    ParkedQuery all = ParkedQuery.of(SENDING);
    Instant first = admin().parked(all).rows().get(0).parkedAt();
    assertThat(admin().parked(all.parkedBefore(first)).rows()).isEmpty();
    assertThat(admin().parked(all.parkedBefore(first.plusSeconds(60))).rows()).hasSize(4);
  }

  @Test
  final void misspeltOwnerDoesNotLookLikeOneThatHasParkedNothing() {
    owner();
    assertThat(admin().parked(ParkedQuery.of(SENDING)).rows()).isEmpty();
    assertThat(admin().failures(ParkedQuery.of(SENDING)).rows()).isEmpty();
    for (Reader owner : List.of(Reader.subscription("other"), RECEIVING)) {
      assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> admin().parked(ParkedQuery.of(owner)));
      assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> admin().failures(ParkedQuery.of(owner)));
      assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> admin().count(ParkedQuery.of(owner)));
    }
  }

  private int count(ParkedSelection selection) {
    return admin().parked(ParkedQuery.of(SENDING).with(selection)).rows().size();
  }

  private List<String> routes(ParkedQuery query) {
    List<String> routes = new ArrayList<>();
    Listing<Parked, ParkedPoint> page = admin().parked(query);
    page.rows().forEach(row -> routes.add(row.place().route()));
    while (page.next() != null) {
      page = admin().parked(query.after(page.next()));
      page.rows().forEach(row -> routes.add(row.place().route()));
    }
    return routes;
  }

  @Test
  final void failuresThatDifferInNumbersAreOneGroup() {
    parkAll();
    List<FailureGroup> groups = admin().failures(ParkedQuery.of(SENDING)).rows();
    assertThat(groups)
        .extracting(group -> group.count() + " " + group.failure())
        .containsExactly("2 java.io.IOException: timeout after # ms", "1 no such item #");
    assertThat(groups.get(0).example().message().key()).isEqualTo("a");
    ParkedQuery timeouts = ParkedQuery.of(SENDING).withFailure(groups.get(0).failure());
    assertThat(routes(timeouts.withLimit(1))).containsExactly("mail", "mail");
    assertThat(admin().failures(timeouts).rows()).hasSize(1);
    assertThat(admin().count(timeouts)).isEqualTo(new Count(2, false));
    assertThat(admin().count(ParkedQuery.of(SENDING))).isEqualTo(new Count(4, false));
    ParkedQuery dead = ParkedQuery.of(SENDING).with(ParkedSelection.of(ParkedState.DEAD));
    assertThat(admin().count(dead).number()).isEqualTo(admin().parked(dead).rows().size());
  }

  /** Nothing fits among the rows that one call looks at. */
  @Test
  final void whatFailedAlikeAndWhatAHeldRowWaitsForAreLookedForAmongABoundedNumberOfRows() {
    long last = Count.MAX + 2;
    Owner owner = owner();
    owner.save(
        LongStream.rangeClosed(1, Count.MAX)
            .mapToObj(position -> ParkedRows.park(position, "k", ParkedState.DEAD, null))
            .toArray(ParkedChange[]::new));
    owner.save(
        ParkedRows.park(last - 1, "z", ParkedState.DEAD, null),
        ParkedRows.park(last, "z", ParkedState.HELD, null));
    ParkedQuery query = ParkedQuery.of(SENDING).with(ParkedSelection.ALL.withKey("z"));
    Listing<FailureGroup, ParkedPoint> first = admin().failures(query);
    assertThat(first.rows()).isEmpty();
    assertThat(there(first.next()).number()).isEqualTo(Count.MAX);
    Listing<FailureGroup, ParkedPoint> second = admin().failures(query.after(there(first.next())));
    assertThat(second.rows()).extracting(group -> group.count().number()).containsExactly(1L);
    assertThat(second.isMore()).isFalse();
    assertThat(admin().count(query)).isEqualTo(new Count(0, true));
    assertThat(admin().count(query.after(there(first.next())))).isEqualTo(new Count(2, false));
    assertThat(admin().why(last).sentence())
        .contains("held behind " + StoreContractTests.idAt(last - 1));
  }

  @Test
  final void requestOfAnOperatorIsShown() {
    parkAll();
    process()
        .parkedMessages(SUBSCRIPTION)
        .discard(admin().parked(ParkedQuery.of(SENDING)).rows().get(0).place().ofSubscription());
    assertThat(admin().parked(ParkedQuery.of(SENDING)).rows())
        .extracting(Parked::requested)
        .containsExactly(ParkedRequest.DISCARD, null, null, null);
  }

  @Test
  final void whatAConsumerHasParkedHasTheSameShape() {
    inTransaction(
        transaction ->
            database()
                .received()
                .park(
                    transaction,
                    "stock",
                    List.of(received("1"), received("2"), received("3")),
                    new ParkedFailure(ParkedState.DEAD, true, 3, "no stock of 5", AT_ONCE)));
    ParkedQuery query = ParkedQuery.of(RECEIVING).withPayload(3);
    Parked first = admin().parked(query).rows().get(0);
    assertThat(first.owner()).isEqualTo(RECEIVING);
    assertThat(first.message().id()).isEqualTo("1");
    assertThat(first.message().keySpace()).isEqualTo("queue");
    assertThat(first.message().payload()).isEqualTo("pay".getBytes(StandardCharsets.UTF_8));
    assertThat(first.message().payloadBytes()).isEqualTo(7);
    assertThat(first.attempts()).isEqualTo(3);
    assertThat(first.nextAttemptAt()).isNull();
    assertThat(routes(query.withLimit(2))).hasSize(3);
    assertThat(routes(query.with(ParkedSelection.ALL.withKey("other")))).isEmpty();
    assertThat(admin().failures(query).rows())
        .singleElement()
        .matches(group -> group.failure().equals("no stock of #") && group.count().number() == 3);
    assertThat(admin().consumers())
        .singleElement()
        .matches(stock -> stock.parked().dead().number() == 3);
    assertCode(
        ErrorCode.INVALID_CONFIGURATION,
        () -> admin().parked(query.with(ParkedSelection.ALL.withRoute("mail"))));
  }

  private static Received received(String id) {
    return new Received(
        "shop",
        id,
        "orders",
        "k",
        "order.placed",
        1,
        "payload".getBytes(StandardCharsets.UTF_8),
        Map.of("a", "b"),
        null,
        "",
        "queue");
  }
}
