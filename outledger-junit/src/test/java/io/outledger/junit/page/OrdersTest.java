// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import static io.outledger.junit.OutledgerAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jackson.JacksonSerializer;
import io.outledger.junit.InMemoryExtension;
import io.outledger.junit.page.Shop.Mails;
import io.outledger.junit.page.Shop.OrderPaid;
import io.outledger.junit.page.Shop.OrderPlaced;
import io.outledger.junit.page.Shop.Orders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OrdersTest {

  private final Mails mails = new Mails();

  @RegisterExtension
  final InMemoryExtension outledger =
      InMemoryExtension.with(JacksonSerializer.create(), Shop::events)
          .handler("mail", h -> h.on(OrderPlaced.class, (order, context) -> mails.send(order)));

  private final Orders orders = new Orders(outledger.outbox());

  @Test
  void whatAnOrderAppends() {
    orders.place("o-1", 1990);
    orders.pay("o-1");

    assertThat(outledger.outbox())
        .hasAppended(OrderPlaced.class, order -> assertThat(order.cents()).isEqualTo(1990))
        .withKey("o-1")
        .toTopic("orders")
        .hasAppended(OrderPaid.class)
        .inOrderOfKeys();
  }

  @Test
  void whatFollowsInTheBackground() throws Exception {
    mails.failNext(3);

    outledger
        .when(() -> orders.place("o-1", 1990))
        .untilPublished(OrderPlaced.class, order -> order.orderId().equals("o-1"))
        .until("the mail is sent", () -> mails.sent().contains("o-1"));
  }

  @Test
  void whatADuplicateDoes() {
    outledger.publisher().duplicateNext(1);

    orders.place("o-1", 1990);
    outledger.settle();

    outledger.assertThatPublished().hasPublishedExactly(OrderPlaced.class, OrderPlaced.class);
  }
}
