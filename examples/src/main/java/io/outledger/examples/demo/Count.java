// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outledger.chaos.checker.Checker;
import io.outledger.chaos.checker.Report;
import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.Entry;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Counts everything again, from the databases and from the broker alone, and has the checker of the
 * chaos tests judge it.
 */
final class Count {

  private static final String ORDERS = "SELECT id, number, customer FROM orders";
  private static final String RESERVATIONS = "SELECT order_id, number, product FROM reservation";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Ledger orders;
  private final Ledger inventory;
  private final DemoBroker broker;

  Count(Ledger orders, Ledger inventory, DemoBroker broker) {
    this.orders = orders;
    this.inventory = inventory;
    this.broker = broker;
  }

  /** A message is of a row of the business if both have this; each order's row has a number. */
  private record Fact(UUID order, long number) {}

  /** Counts and judges everything. */
  Result result(DemoOptions options, ShopClient client, List<Kill> kills, long ms)
      throws SQLException {
    return new Result(
        options,
        new Result.Asked(client.answered(), client.askedAgain()),
        kills,
        ms,
        new Result.Reports(requests(client.answers()), ordersPlaced(), stockReserved(), units()));
  }

  /** Judges the customers' requests: each answered order is there once, and no other order is. */
  Report requests(Collection<Answer> answers) throws SQLException {
    Checker checker = new Checker();
    checker.accept(new Entry.Consumes("the order service"));
    long offset = 0;
    for (Answer answer : answers) {
      UUID order = answer.order();
      if (order == null) {
        checker.accept(new Entry.Wrote(null, 0, answer.key(), CommitOutcome.ROLLED_BACK));
      } else {
        checker.accept(new Entry.Wrote(null, 0, order, CommitOutcome.COMMITTED));
        checker.accept(new Entry.Arrived("http", offset++, order));
      }
    }
    for (UUID order : ids(orders, "SELECT id FROM orders")) {
      checker.accept(new Entry.Effect("the order service", order));
    }
    return checker.report();
  }

  /** Judges the way from an order's transaction to the reservation of its stock. */
  Report ordersPlaced() throws SQLException {
    List<LedgerTables.Stored> messages = orders.tables().messages();
    Checker checker = new Checker();
    wrote(facts(orders, ORDERS), messages, checker);
    published(orders, messages, "orders", checker);
    checker.accept(new Entry.Consumes("the inventory service"));
    Map<UUID, UUID> messageOf =
        messages.stream()
            .collect(Collectors.toMap(m -> fact(m).order(), m -> m.id(), (one, other) -> other));
    for (UUID order : ids(inventory, "SELECT order_id FROM reservation")) {
      UUID message = messageOf.getOrDefault(order, order);
      checker.accept(new Entry.Effect("the inventory service", message));
    }
    return checker.report();
  }

  /** Judges the way from a reservation's transaction to the broker. */
  Report stockReserved() throws SQLException {
    List<LedgerTables.Stored> messages = inventory.tables().messages();
    Checker checker = new Checker();
    wrote(facts(inventory, RESERVATIONS), messages, checker);
    published(inventory, messages, "stock", checker);
    return checker.report();
  }

  private Result.Units units() throws SQLException {
    return new Result.Units(
        orders.database().number("SELECT coalesce(sum(quantity), 0) FROM orders"),
        inventory.database().number("SELECT coalesce(sum(reserved), 0) FROM stock"));
  }

  /** Tells the checker what the business has committed, with the key and number of each row. */
  private static void wrote(
      Map<Fact, String> keys, List<LedgerTables.Stored> messages, Checker checker) {
    Map<Fact, String> missing = new HashMap<>(keys);
    for (LedgerTables.Stored message : messages) {
      Fact fact = fact(message);
      String key = keys.get(fact);
      if (key != null) {
        checker.accept(wrote(key, fact, message.id()));
        missing.remove(fact);
      }
    }
    // A row without a message stands for itself: it will be missed.
    missing.forEach((fact, key) -> checker.accept(wrote(key, fact, fact.order())));
  }

  private static Entry.Wrote wrote(String key, Fact fact, UUID id) {
    return new Entry.Wrote(key, fact.number(), id, CommitOutcome.COMMITTED);
  }

  /** Tells the checker what the ledger says, and what is in the broker. */
  private void published(
      Ledger ledger, List<LedgerTables.Stored> messages, String topic, Checker checker)
      throws SQLException {
    LedgerTables tables = ledger.tables();
    ledger.interruptions().crashes(tables).forEach(checker::accept);
    messages.forEach(m -> checker.accept(new Entry.Stored(m.id(), m.position())));
    tables.parked().forEach(checker::accept);
    List<LedgerTables.Saved> saves = tables.saves();
    for (LedgerTables.Saved save : saves) {
      checker.accept(new Entry.Changed("cursor", save.n(), save.owner().toString()));
    }
    if (!saves.isEmpty()) {
      LedgerTables.Saved last = saves.get(saves.size() - 1);
      checker.accept(new Entry.Cursor(last.high(), last.open()));
    }
    for (DemoBroker.Arrival arrival : broker.read(topic)) {
      checker.accept(new Entry.Arrived(arrival.partition(), arrival.offset(), arrival.id()));
    }
  }

  /** Returns the key of each row of the business. */
  private static Map<Fact, String> facts(Ledger ledger, String sql) throws SQLException {
    return ledger
        .database()
        .rows(
            sql,
            row ->
                Map.entry(
                    new Fact(UUID.fromString(row.getString(1)), row.getLong(2)), row.getString(3)))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> other));
  }

  private static Fact fact(LedgerTables.Stored message) {
    try {
      JsonNode event = JSON.readTree(message.payload());
      return new Fact(UUID.fromString(event.get("order").asText()), event.get("number").asLong());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<UUID> ids(Ledger ledger, String sql) throws SQLException {
    return ledger.database().rows(sql, row -> UUID.fromString(row.getString(1)));
  }
}
