// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.jdbc.admin.CancelScheduled;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Reason;
import io.outledger.jdbc.admin.RequestQuery;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Scheduled;
import io.outledger.jdbc.admin.ScheduledPoint;
import io.outledger.jdbc.admin.ScheduledQuery;
import io.outledger.jdbc.admin.ScheduledState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Why;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What operators see of scheduled messages, and do to them. */
abstract class ScheduledOperatorContractTests extends DatabaseContractTests {

  private static final Instant DUE = Instant.parse("2126-03-04T05:06:07.123456Z");

  @Test
  final void waitingMessagesAreListedInTheOrderOfTheirTime() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      ids.add(0, schedule("k" + i, Delivery.at(DUE.minusSeconds(i)).named("n" + i)));
    }
    ids.add(schedule("last", Delivery.at(DUE)));
    List<Scheduled> all = new ArrayList<>();
    ScheduledQuery query = ScheduledQuery.ALL.withLimit(3);
    ScheduledPoint next = null;
    do {
      Listing<Scheduled, ScheduledPoint> page =
          process().admin().scheduled(next == null ? query : query.after(next));
      assertThat(page.rows()).hasSizeLessThanOrEqualTo(3);
      all.addAll(page.rows());
      next = page.next();
    } while (next != null);
    assertThat(all)
        .extracting(each -> each.message().id())
        .containsExactlyElementsOf(ids.stream().map(UUID::toString).toList());
    Scheduled first = all.get(0);
    assertThat(first.dueAt()).isEqualTo(DUE.minusSeconds(6));
    assertThat(first.name()).isEqualTo("n6");
    assertThat(first.message().key()).isEqualTo("k6");
    assertThat(first.message().topic()).isEqualTo("orders");
    assertThat(first.message().time()).isBefore(DUE);
    assertThat(all.get(7).name()).isNull();
  }

  /** Two of the times are one reading of Berlin's clocks, and one has its reading as UTC only. */
  @Test
  final void clocksThatAreChangedMoveNoTime() {
    List<Instant> times =
        Stream.of("03-30T01:30", "03-30T02:30", "10-26T00:30", "10-26T01:30", "10-26T02:30")
            .map(time -> Instant.parse("2031-" + time + ":00Z"))
            .toList();
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    try {
      times.forEach(time -> schedule("k" + time, Delivery.at(time)));
      assertThat(process().admin().scheduled(ScheduledQuery.ALL).rows())
          .extracting(Scheduled::dueAt)
          .containsExactlyElementsOf(times);
    } finally {
      TimeZone.setDefault(before);
    }
    assertThat(process().admin().scheduled(ScheduledQuery.ALL).rows())
        .extracting(Scheduled::dueAt)
        .containsExactlyElementsOf(times);
  }

  @Test
  final void oneIsFoundByIdAndByName() {
    UUID id = schedule("a", Delivery.at(DUE).named("one"));
    schedule("b", Delivery.at(DUE));
    assertThat(keys(ScheduledQuery.ALL.withId(id))).containsExactly("a");
    assertThat(keys(ScheduledQuery.ALL.withName("one"))).containsExactly("a");
    assertThat(keys(ScheduledQuery.ALL.withName("One"))).isEmpty();
    assertThat(keys(ScheduledQuery.ALL.withId(new UUID(1, 2)))).isEmpty();
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> ScheduledQuery.ALL.withLimit(0));
  }

  @Test
  final void pageIsBoundedInBytes() {
    String large = "x".repeat(16_000);
    for (int i = 0; i < 300; i++) {
      Message message = Message.to("orders", "order.placed").key("k").header("h", large).build();
      process().outbox().inNewTransaction(message, Delivery.at(DUE));
    }
    ScheduledQuery many = ScheduledQuery.ALL.withLimit(1_000);
    Listing<Scheduled, ScheduledPoint> page = process().admin().scheduled(many);
    assertThat(page.rows()).hasSizeBetween(1, 299);
    ScheduledPoint next = page.next();
    assertThat(next).isNotNull();
    assertThat(process().admin().scheduled(many.after(next)).rows())
        .hasSize(300 - page.rows().size());
  }

  @Test
  final void overviewCountsWhatWaitsAndWhatIsDue() {
    ScheduledState none = process().admin().overview().scheduled();
    assertThat(none).isEqualTo(new ScheduledState(Count.NONE, Count.NONE, null, Duration.ZERO));
    Instant past = Instant.parse("2026-01-01T00:00:00Z");
    schedule("a", Delivery.at(past));
    schedule("b", Delivery.at(DUE));
    ScheduledState state = process().admin().overview().scheduled();
    assertThat(state.waiting().number()).isEqualTo(2);
    assertThat(state.due().number()).isEqualTo(1);
    assertThat(state.next()).isEqualTo(past);
    assertThat(state.late()).isPositive();
  }

  @Test
  final void cancelledByRequestIsNeverDelivered() {
    UUID id = schedule("a", Delivery.at(DUE));
    schedule("b", Delivery.at(DUE).named("b"));
    assertThat(ask(CancelScheduled.id(id)).done()).isEqualTo(1);
    assertThat(ask(CancelScheduled.named("b")).done()).isEqualTo(1);
    assertThat(keys(ScheduledQuery.ALL)).isEmpty();
    RequestStatus again = ask(CancelScheduled.named("b"));
    assertThat(again.state()).isEqualTo(RequestState.DONE);
    assertThat(again.done()).isZero();
    assertThat(again.result()).contains("no such message waits");
    assertThat(process().admin().requests(RequestQuery.ALL.withVerb("cancel-scheduled")).rows())
        .hasSize(3)
        .allSatisfy(each -> assertThat(each.askedBy()).isEqualTo("anna"));
  }

  @Test
  final void whatIsToBeDeliveredNowIsDelivered() {
    UUID id = schedule("a", Delivery.at(DUE));
    schedule("b", Delivery.at(DUE).named("b"));
    schedule("c", Delivery.at(DUE));
    assertThat(ask(DeliverNow.id(id)).done()).isEqualTo(1);
    assertThat(ask(DeliverNow.named("b")).done()).isEqualTo(1);
    assertThat(ask(DeliverNow.named("c")).done()).isZero();
    assertThat(relayUntil(some -> some.size() == 2))
        .extracting(Message::key)
        .containsExactlyInAnyOrder("a", "b");
    assertThat(keys(ScheduledQuery.ALL)).containsExactly("c");
  }

  @Test
  final void whatIsDueAlreadyKeepsItsPlace() {
    UUID first = schedule("k", Delivery.at(Instant.parse("2026-01-01T00:00:00Z")));
    UUID second = schedule("k", Delivery.at(Instant.parse("2026-01-01T00:00:01Z")));
    assertThat(ask(DeliverNow.id(first)).done()).isEqualTo(1);
    assertThat(relayUntil(some -> some.size() == 2))
        .extracting(Message::id)
        .containsExactly(first, second);
  }

  @Test
  final void whyTellsWhenItIsDue() {
    UUID id = schedule("a", Delivery.at(DUE));
    Why why = process().admin().why(id);
    assertThat(why.sentence()).contains("is scheduled, and due at " + DUE);
    assertThat(why.reasons()).extracting(Reason::kind).containsExactly(Reason.Kind.SCHEDULED);
    ask(CancelScheduled.id(id));
    assertThat(process().admin().why(id).reasons())
        .extracting(Reason::kind)
        .containsExactly(Reason.Kind.NOT_FOUND);
  }

  @Test
  final void requestNamesOneMessage() {
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> new CancelScheduled(null, null));
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> new DeliverNow(new UUID(1, 2), "a"));
    assertCode(ErrorCode.INVALID_NAME, () -> DeliverNow.named("x".repeat(10_000)));
  }

  private List<String> keys(ScheduledQuery query) {
    return process().admin().scheduled(query).rows().stream()
        .map(each -> String.valueOf(each.message().key()))
        .toList();
  }

  private RequestStatus ask(Verb verb) {
    return process().requests().ask(verb.by("anna", "a test"));
  }

  private UUID schedule(String key, Delivery when) {
    return process().outbox().inNewTransaction(StoreContractTests.message(key), when);
  }
}
