// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.List;

/** How to count for oneself, while everything stays up. */
record Addresses(DemoShop shop) {

  List<String> lines() {
    int port = shop.postgres().port();
    String psql =
        "    PGPASSWORD=%s psql -h 127.0.0.1 -p %d -U %s "
            .formatted(shop.postgres().password(), port, shop.postgres().user());
    String kafka = shop.kafka().bootstrapServers();
    return List.of(
        "",
        "Everything stays up until you press Ctrl-C. Count for yourself:",
        "",
        "  What was ordered, and what the ledger says of it",
        psql + "orders -c 'SELECT count(*), sum(quantity) FROM orders'",
        psql + "orders -c 'SELECT * FROM outledger_lag'",
        "",
        "  What was reserved",
        psql + "inventory -c 'SELECT count(*), sum(quantity) FROM reservation'",
        "",
        "  What is in Kafka",
        "    ./outledger topic " + kafka + " orders",
        "    kafka-console-consumer.sh --bootstrap-server "
            + kafka
            + " --topic stock --from-beginning",
        "",
        "  Place an order",
        "    curl -i -H 'Idempotency-Key: mine-1' " + shop.ordersUri() + " \\",
        "      -d '{\"customer\": \"customer-1\", \"product\": \"product-1\", \"quantity\": 2}'",
        "");
  }
}
