// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.ArrayList;
import java.util.List;

/** How to count for oneself, while everything stays up. */
record Addresses(DemoShop shop) {

  List<String> lines() {
    DemoDatabase database = shop.database();
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("Everything stays up until you press Ctrl-C. Count for yourself:");
    lines.add("");
    lines.add("  What was ordered, and what the ledger says of it");
    lines.add("    " + database.command("orders", "SELECT count(*), sum(quantity) FROM orders"));
    lines.add("    " + database.command("orders", "SELECT * FROM outledger_lag"));
    lines.add("");
    lines.add("  What was reserved");
    lines.add(
        "    " + database.command("inventory", "SELECT count(*), sum(quantity) FROM reservation"));
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
