// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import static io.outledger.junit.OutledgerAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.junit.Orders.OrderPaid;
import io.outledger.junit.Orders.OrderPlaced;
import io.outledger.testing.InMemoryOutbox;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class OutboxAssertTest {

  private final InMemoryOutbox outbox = new InMemoryOutbox(events());

  private static Events events() {
    EventTypes.Builder types = EventTypes.builder();
    Orders.register(types);
    return Events.builder().types(types.build()).serializer(JacksonSerializer.create()).build();
  }

  @Test
  void anEventIsFoundByItsClassItsContentItsKeyAndItsTopic() {
    outbox.append(new OrderPlaced("o-1", 1990), new OrderPaid("o-1"));

    assertThat(outbox)
        .hasAppended(OrderPlaced.class, order -> assertThat(order.cents()).isEqualTo(1990))
        .withKey("o-1")
        .toTopic("orders")
        .withHeader(Events.CONTENT_TYPE, "application/json")
        .hasAppended(OrderPaid.class)
        .hasNotAppended(Message.class)
        .hasAppendedExactly(OrderPlaced.class, OrderPaid.class)
        .inOrderOfKeys();
  }

  @Test
  void aHeaderNeedsItsValueToo() {
    outbox.append(new OrderPlaced("o-1", 5));

    assertThatThrownBy(
            () ->
                assertThat(outbox)
                    .hasAppended(OrderPlaced.class)
                    .withHeader(Events.CONTENT_TYPE, "text/plain"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("with header " + Events.CONTENT_TYPE + ": text/plain");
  }

  @Test
  void eachEventThatDoesNotSatisfyIsListedWithItsReason() {
    outbox.append(new OrderPlaced("o-1", 5), new OrderPlaced("o-2", 6));

    assertThatThrownBy(
            () ->
                assertThat(outbox)
                    .hasAppended(
                        OrderPlaced.class, order -> assertThat(order.cents()).isEqualTo(1990)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("orderId=o-1, cents=5")
        .hasMessageContaining("orderId=o-2, cents=6")
        .hasMessageContaining("1990");
  }

  @Test
  void whatWasAppendedInsteadIsListed() {
    outbox.append(new OrderPaid("o-7"));

    failing(() -> assertThat(outbox).hasAppended(OrderPlaced.class), "OrderPaid[orderId=o-7]");
    failing(() -> assertThat(outbox).hasNotAppended(OrderPaid.class), "Expected no OrderPaid");
    failing(() -> assertThat(outbox).hasAppendedNothing(), "Expected exactly []");
    failing(() -> assertThat(outbox).hasAppended(OrderPaid.class).withKey("o-8"), "with key o-8");
    failing(() -> assertThat(outbox).hasAppended(OrderPaid.class).toTopic("x"), "to topic x");
  }

  @Test
  void orderCountsWithinAKeyAlone() {
    outbox.append(new OrderPaid("o-1"), new OrderPlaced("o-2", 1), new OrderPlaced("o-1", 2));

    assertThat(outbox)
        .hasAppended(OrderPlaced.class)
        .withKey("o-2")
        .hasAppended(OrderPaid.class)
        .inOrderOfKeys();
    failing(
        () ->
            assertThat(outbox)
                .hasAppended(OrderPlaced.class)
                .withKey("o-1")
                .hasAppended(OrderPaid.class)
                .inOrderOfKeys(),
        "in this order within their keys");
  }

  @Test
  void anEventThatIsNamedTwiceMustBeThereTwice() {
    outbox.append(new OrderPaid("o-1"));

    failing(
        () ->
            assertThat(outbox)
                .hasAppended(OrderPaid.class)
                .hasAppended(OrderPaid.class)
                .inOrderOfKeys(),
        "in this order");
  }

  @Test
  void anEarlierNameLeavesAnEventToALaterOneThatNeedsIt() {
    outbox.append(new OrderPlaced("o-1", 1), new OrderPlaced("o-2", 2));

    assertThat(outbox)
        .hasAppended(OrderPlaced.class)
        .hasAppended(OrderPlaced.class, order -> assertThat(order.cents()).isEqualTo(1))
        .inOrderOfKeys();
  }

  @Test
  void manyNamesWithoutASolutionFailSoon() {
    for (int order = 0; order < 40; order++) {
      outbox.append(new OrderPlaced("o-" + order, 1));
    }
    OutboxAssert all = assertThat(outbox);
    for (int name = 0; name < 41; name++) {
      all = all.hasAppended(OrderPlaced.class);
    }

    failing(all::inOrderOfKeys, "in this order");
  }

  private static void failing(ThrowingCallable assertion, String text) {
    assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessageContaining(text);
  }
}
