// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import io.outledger.jackson.JacksonSerializer;
import io.outledger.junit.OutledgerExtension;
import io.outledger.junit.page.Shop.Mails;
import io.outledger.junit.page.Shop.OrderPlaced;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@link OrdersIT} tries, on another database than PostgreSQL. */
abstract class OnNamedIT {

  private final Mails mails = new Mails();

  @RegisterExtension final OutledgerExtension outledger;

  OnNamedIT(Supplier<DataSource> empty) {
    this.outledger =
        OutledgerExtension.on(empty)
            .configure(b -> b.serializer(JacksonSerializer.create()).events(Shop::events))
            .relay(
                "handlers",
                relay ->
                    relay.handler(
                        "mail",
                        h -> h.on(OrderPlaced.class, (order, context) -> mails.send(order))));
  }

  @Test
  void anOrderIsMailed() throws Exception {
    outledger
        .when(() -> outledger.outledger().outbox().inNewTransaction(new OrderPlaced("o-1", 1)))
        .untilPublished(OrderPlaced.class)
        .until("the mail is sent", () -> mails.sent().contains("o-1"));
  }
}
