// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.MessageIds;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.EventContext;
import io.outledger.junit.Orders.OrderPaid;
import io.outledger.junit.Orders.OrderPlaced;
import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class InMemoryExtensionTest {

  private final List<String> mails = new ArrayList<>();
  private int failures;

  @RegisterExtension
  final InMemoryExtension outledger =
      InMemoryExtension.with(JacksonSerializer.create(), Orders::register)
          .handler("mail", h -> h.on(OrderPlaced.class, (order, message) -> mail(order)));

  private void mail(OrderPlaced order) {
    if (failures > 0) {
      failures--;
      throw new IllegalStateException("the mail server is on fire");
    }
    mails.add(order.orderId());
  }

  @Test
  void whatIsAppendedIsPublishedAndHandled() throws Exception {
    outledger
        .when(() -> outledger.outbox().append(new OrderPlaced("o-1", 1), new OrderPaid("o-1")))
        .untilPublished(OrderPaid.class, paid -> paid.orderId().equals("o-1"))
        .until("a mail is sent", () -> mails.contains("o-1"));

    outledger.assertThatPublished().inOrderOfKeys().withoutDuplicates();
  }

  @Test
  void aBuilderThatIsAppendedHasTheIdAndTheTimeOfTheTest() {
    UUID first =
        new MessageIds(outledger.clock(), new SplittableRandom(InMemoryExtension.SEED)).next();

    List<UUID> ids = outledger.outbox().append(Message.to("orders", "seen").key("o-1"));

    assertThat(ids).containsExactly(first);
    assertThat(outledger.outbox().messages())
        .extracting(Message::time)
        .containsExactly(outledger.clock().now());
  }

  @Test
  void timePassesUntilARetrySucceeds() throws Exception {
    failures = 3;
    outledger
        .when(() -> outledger.outbox().append(new OrderPlaced("o-1", 1)))
        .until("a mail is sent", () -> mails.contains("o-1"));

    assertThat(failures).isZero();
  }

  @Test
  void timePassesUntilAnOutageIsOver() throws Exception {
    outledger.publisher().failNext(3);
    outledger
        .when(() -> outledger.outbox().append(new OrderPlaced("o-1", 1)))
        .untilPublished(OrderPlaced.class);

    outledger.assertThatPublished().hasPublishedExactly(OrderPlaced.class);
  }

  @Test
  void timePassesUntilTheDatabaseAnswersAgain() throws Exception {
    outledger.ledger().faults().failNext(2);
    outledger
        .when(() -> outledger.outbox().append(new OrderPlaced("o-1", 1)))
        .untilPublished(OrderPlaced.class);

    outledger.assertThatPublished().hasPublishedExactly(OrderPlaced.class);
  }

  @Test
  void anOutageThatNeverEndsFailsTheTestAndNamesWhatIsPending() {
    outledger.publisher().goDown();
    assertThatThrownBy(
            () ->
                outledger
                    .when(() -> outledger.outbox().append(new OrderPlaced("o-1", 1)))
                    .untilPublished(OrderPlaced.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("messages are still pending")
        .hasMessageFindingMatch("Pending: .*order.placed");
  }

  @Test
  void aConditionThatNothingCanMakeTrueFailsAtOnceAndSaysWhy() {
    failures = 100;
    assertThatThrownBy(
            () ->
                outledger
                    .when(() -> outledger.outbox().append(new OrderPlaced("o-1", 1)))
                    .until("a mail is sent", () -> mails.contains("o-1")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Expected that a mail is sent, and nothing is left to do")
        .hasMessageContaining("on fire");
  }

  @Test
  void whatIsAppendedAfterAClearIsPublished() {
    outledger.outbox().append(new OrderPlaced("o-1", 1));
    outledger.settle();
    outledger.outbox().clear();
    outledger.outbox().append(new OrderPlaced("o-2", 1));
    outledger.settle();

    assertThat(mails).containsExactly("o-1", "o-2");
  }

  @Test
  void aHandlerIsToldWhatItIsToldInProductionAndWhatItAppendsIsPublished() {
    outledger.handler("paying", h -> h.on(OrderPlaced.class, InMemoryExtensionTest::pay));
    outledger.outbox().append(new OrderPlaced("o-1", 1));
    outledger.settle();

    outledger.assertThatPublished().hasPublishedExactly(OrderPlaced.class, OrderPaid.class);
  }

  private static void pay(OrderPlaced order, EventContext context) {
    assertThat(context.key()).isEqualTo(order.orderId());
    assertThat(context.position()).hasValue(1);
    assertThat(context.message().type()).isEqualTo("order.placed");
    assertThatThrownBy(context::connection).hasMessageContaining("InMemoryExtension.connection");
    context.outbox().append(new OrderPaid(order.orderId()));
  }

  @Test
  void aHandlerIsToldTheIdThatTheSenderWasGiven() {
    List<String> told = new ArrayList<>();
    outledger.handler(
        "telling",
        h ->
            h.on(
                OrderPlaced.class,
                (order, context) ->
                    told.add(context.message().source() + " " + context.message().id())));
    List<UUID> ids = outledger.outbox().append(List.of(new OrderPlaced("o-1", 1)));
    outledger.settle();

    assertThat(told).singleElement().asString().startsWith("ledger/").endsWith(" " + ids.get(0));
  }

  @Test
  void whatAFailedHandlerHasAppendedIsRolledBack() {
    outledger.handler(
        "failing",
        h ->
            h.on(
                OrderPlaced.class,
                (order, context) -> {
                  context.outbox().append(new OrderPaid(order.orderId()));
                  throw new IllegalStateException("on purpose");
                }));
    outledger.outbox().append(new OrderPlaced("o-1", 1));
    outledger.settle();

    outledger.assertThatPublished().hasPublishedExactly(OrderPlaced.class);
  }

  @Test
  void aHandlerThatAppendsWithoutEndFailsTheTest() {
    outledger.handler(
        "loop", h -> h.on(OrderPlaced.class, (order, context) -> context.outbox().append(order)));
    outledger.outbox().append(new OrderPlaced("o-1", 1));

    assertThatThrownBy(outledger::settle)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Handlers append without end")
        .hasMessageContaining("order.placed");
  }

  @Test
  void aHandlerThatAppendsWithoutEndFailsTheTestAlsoWhereNothingIsPublished() {
    outledger.handler(
        "loop", h -> h.on(OrderPlaced.class, (order, context) -> context.outbox().append(order)));
    outledger
        .publisher()
        .rejectWhen(message -> true, new Outcome.Rejected("no", Outcome.Rejected.Kind.DEFINITE));
    outledger.outbox().append(new OrderPlaced("o-1", 1));

    assertThatThrownBy(outledger::settle)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Handlers append without end");
  }

  @Test
  void aPublisherFailsDuplicatesAndReversesOnDemand() {
    outledger.publisher().rejectNext(1, new Outcome.Rejected("no", Outcome.Rejected.Kind.DEFINITE));
    outledger.outbox().append(new OrderPlaced("o-1", 1));
    outledger.settle();
    outledger.assertThatPublished().hasPublishedNothing();

    outledger.publisher().duplicateNext(1);
    outledger.letTimePass(Duration.ofMinutes(1));
    outledger.assertThatPublished().hasPublishedExactly(OrderPlaced.class, OrderPlaced.class);
    assertThatThrownBy(() -> outledger.assertThatPublished().withoutDuplicates())
        .hasMessageContaining("[1]");

    outledger.publisher().reverseNext(2);
    outledger.outbox().append(new OrderPlaced("o-2", 1), new OrderPaid("o-2"));
    outledger.settle();
    assertThatThrownBy(() -> outledger.assertThatPublished().inOrderOfKeys())
        .hasMessageContaining("position 2 arrived after 3");
  }
}
