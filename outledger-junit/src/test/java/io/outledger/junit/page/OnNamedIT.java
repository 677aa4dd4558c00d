// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Schema;
import io.outledger.junit.OutledgerExtension;
import io.outledger.junit.crash.CrashTest;
import io.outledger.junit.crash.CrashTrial;
import io.outledger.junit.page.Shop.Mails;
import io.outledger.junit.page.Shop.OrderPlaced;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@link OrdersIT} tries, on another database than PostgreSQL. */
abstract class OnNamedIT {

  private final Mails mails = new Mails();
  private final Supplier<DataSource> empty;

  @RegisterExtension final OutledgerExtension outledger;

  OnNamedIT(Supplier<DataSource> empty) {
    this.empty = empty;
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

  @CrashTest
  void anOrderIsReservedOnce(CrashTrial trial) throws Exception {
    DataSource database = withTables();
    trial
        .start(process -> new Shop(process, database))
        .request(shop -> shop.place("o-1"))
        .settle(
            (process, shop) -> {
              process.drain(shop.relay());
              shop.consume();
            })
        .observe(() -> TestDatabase.rows(database, "SELECT id FROM reservation"))
        .check();
  }

  private DataSource withTables() throws SQLException {
    DataSource database = empty.get();
    Schema.of(database).apply(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id VARCHAR(20))");
      statement.execute("CREATE TABLE reservation (id VARCHAR(20))");
    }
    return database;
  }
}
