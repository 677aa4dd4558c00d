// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.jooq;

import io.outledger.relay.Relay;
import io.outledger.servers.Postgres;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** Places two orders, and prints their events as a handler gets them. */
public final class JooqShop {

  private JooqShop() {}

  /**
   * Runs it.
   *
   * @param arguments the JDBC URL of a PostgreSQL database; without it, one is started
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      run(arguments[0]);
      return;
    }
    try (Postgres server = Postgres.start()) {
      run(server.jdbcUrl(server.createDatabase()));
    }
  }

  private static void run(String url) throws InterruptedException {
    PGSimpleDataSource database = new PGSimpleDataSource(); // or your pool
    database.setUrl(url);
    Shop.createTables(database);
    try (Shop shop = new Shop(database)) {
      shop.orders().place("o-1", 1990);
      shop.orders().place("o-2", 450);
      // A service calls start() instead, and lets the relay run.
      try (Relay relay =
          shop.outledger()
              .relay("printer")
              .handler(
                  "print",
                  handler -> handler.on(OrderPlaced.class, (order, context) -> print(order)))
              .build()) {
        relay.drain(Duration.ofSeconds(30));
      }
    }
  }

  private static void print(OrderPlaced order) {
    System.out.println("order " + order.orderId() + " for " + order.cents() + " cents");
  }
}
