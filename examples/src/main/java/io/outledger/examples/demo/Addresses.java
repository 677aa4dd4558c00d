// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.ArrayList;
import java.util.List;

/** How to count for oneself, while everything stays up. */
record Addresses(DemoShop shop) {

  List<String> lines() {
    int port = shop.postgres().port();
    String psql =
        "    PGPASSWORD=%s psql -h 127.0.0.1 -p %d -U %s "
            .formatted(shop.postgres().password(), port, shop.postgres().user());
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("Everything stays up until you press Ctrl-C. Count for yourself:");
    lines.add("");
    lines.add("  What was ordered, and what the ledger says of it");
    lines.add(psql + "orders -c 'SELECT count(*), sum(quantity) FROM orders'");
    lines.add(psql + "orders -c 'SELECT * FROM outledger_lag'");
    lines.add("");
    lines.add("  What was reserved");
    lines.add(psql + "inventory -c 'SELECT count(*), sum(quantity) FROM reservation'");
    lines.add("");
    lines.add("  What is in " + shop.broker().title());
    shop.broker().commands().forEach(command -> lines.add("    " + command));
    lines.add("");
    lines.add("  Place an order");
    lines.add("    curl -i -H 'Idempotency-Key: mine-1' " + shop.ordersUri() + " \\");
    lines.add(
        "      -d '{\"customer\": \"customer-1\", \"product\": \"product-1\", \"quantity\": 2}'");
    lines.add("");
    return lines;
  }
}
