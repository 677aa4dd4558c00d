// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.EventTypes;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.EventContext;
import io.outledger.junit.InMemoryExtension;
import io.outledger.junit.page.Shop.OrderPlaced;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InvoicesTest {

  record InvoiceWritten(String orderId, int cents) {}

  /** The handler under test. */
  static final class Invoices {

    private Invoices() {}

    static void invoice(OrderPlaced order, EventContext context) {
      context.outbox().append(new InvoiceWritten(String.valueOf(context.key()), order.cents()));
    }
  }

  @RegisterExtension
  final InMemoryExtension outledger =
      InMemoryExtension.with(JacksonSerializer.create(), InvoicesTest::events)
          .handler("invoices", h -> h.on(OrderPlaced.class, Invoices::invoice));

  @Test
  void anOrderIsInvoiced() {
    outledger.outbox().append(new OrderPlaced("o-1", 1990));
    outledger.settle();

    outledger
        .assertThatPublished()
        .hasPublished(InvoiceWritten.class, invoice -> assertThat(invoice.cents()).isEqualTo(1990))
        .withKey("o-1");
  }

  private static void events(EventTypes.Builder events) {
    Shop.events(events);
    events.register(
        InvoiceWritten.class,
        type -> type.name("invoice.written").topic("invoices").key(InvoiceWritten::orderId));
  }
}
