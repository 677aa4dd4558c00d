// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import io.outledger.jackson.JacksonSerializer;
import io.outledger.junit.OutledgerExtension;
import io.outledger.junit.crash.CrashTest;
import io.outledger.junit.crash.CrashTrial;
import io.outledger.junit.page.Shop.Mails;
import io.outledger.junit.page.Shop.OrderPlaced;
import io.outledger.junit.page.Shop.Orders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OrdersIT {

  private final Mails mails = new Mails();

  @RegisterExtension
  final OutledgerExtension outledger =
      OutledgerExtension.on(TestDatabase::empty)
          .configure(b -> b.serializer(JacksonSerializer.create()).events(Shop::events))
          .relay(
              "handlers",
              relay ->
                  relay.handler(
                      "mail", h -> h.on(OrderPlaced.class, (order, context) -> mails.send(order))));

  @Test
  void anOrderIsMailed() throws Exception {
    var transactions = outledger.outledger().transactions();
    var orders = new Orders(outledger.outledger().outbox().boundTo(transactions));

    outledger
        .when(() -> transactions.run(connection -> orders.place("o-1", 1990)))
        .until("the mail is sent", () -> mails.sent().contains("o-1"));

    outledger.assertThatPublished().hasPublishedExactly(OrderPlaced.class);
  }

  @CrashTest
  void anOrderIsReservedOnce(CrashTrial trial) throws Exception {
    var database = TestDatabase.withShopTables();
    trial
        .start(process -> new Shop(process, database))
        .request(shop -> shop.place("o-1"))
        .settle(
            (process, shop) -> {
              process.drain(shop.relay());
              shop.consume();
            })
        .observe(() -> TestDatabase.rows(database, "SELECT 'reserved ' || id FROM reservation"))
        .check();
  }
}
