// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.chaos.checker.Checker;
import io.outledger.chaos.checker.Report;
import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.Entry;
import io.outledger.frontier.Positions;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Counts everything again, from the databases and from the broker alone, and has the checker of the
 * chaos tests judge it.
 */
final class Count {

  private final Ledger orderLedger;
  private final Ledger inventoryLedger;
  private final Database orders;
  private final Database inventory;
  private final DemoBroker broker;

  Count(Ledger orders, Ledger inventory, DemoBroker broker) {
    this.orderLedger = orders;
    this.inventoryLedger = inventory;
    this.orders = orders.database();
    this.inventory = inventory.database();
    this.broker = broker;
  }

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
    orders
        .rows("SELECT id FROM orders", row -> new Entry.Effect("the order service", id(row, 1)))
        .forEach(checker::accept);
    return checker.report();
  }

  /** Judges the way from an order's transaction to the reservation of its stock. */
  Report ordersPlaced() throws SQLException {
    Checker checker = new Checker();
    orderLedger.interruptions().crashes(orders).forEach(checker::accept);
    // An order without a message stands for itself: it will be missed.
    orders
        .rows(
            """
            SELECT o.customer, o.number, coalesce(m.id, o.id), o.id
              FROM orders o
              LEFT JOIN outledger_message m
                     ON o.id = (convert_from(m.payload, 'UTF8')::json ->> 'order')::uuid
            """,
            row -> wrote(row))
        .forEach(checker::accept);
    ledger(orders, Ledger.SUBSCRIPTION, checker);
    arrivals("orders", checker);
    checker.accept(new Entry.Consumes("the inventory service"));
    effects(checker);
    return checker.report();
  }

  /** Judges the way from a reservation's transaction to the broker. */
  Report stockReserved() throws SQLException {
    Checker checker = new Checker();
    inventoryLedger.interruptions().crashes(inventory).forEach(checker::accept);
    inventory
        .rows(
            """
            SELECT r.product, r.number, coalesce(m.id, r.order_id)
              FROM reservation r
              LEFT JOIN outledger_message m
                     ON m.message_key = r.product
                    AND r.number = (convert_from(m.payload, 'UTF8')::json ->> 'number')::bigint
            """,
            row -> wrote(row))
        .forEach(checker::accept);
    ledger(inventory, Ledger.SUBSCRIPTION, checker);
    arrivals("stock", checker);
    return checker.report();
  }

  private Result.Units units() throws SQLException {
    long ordered = orders.number("SELECT coalesce(sum(quantity), 0) FROM orders");
    long reserved = inventory.number("SELECT coalesce(sum(reserved), 0) FROM stock");
    return new Result.Units(ordered, reserved);
  }

  private void effects(Checker checker) throws SQLException {
    java.util.Map<UUID, UUID> messages = new java.util.HashMap<>();
    orders
        .rows(
            """
            SELECT (convert_from(payload, 'UTF8')::json ->> 'order')::uuid, id
              FROM outledger_message
            """,
            row -> List.of(id(row, 1), id(row, 2)))
        .forEach(pair -> messages.put(pair.get(0), pair.get(1)));
    inventory
        .rows("SELECT order_id FROM reservation", row -> id(row, 1))
        .forEach(
            order ->
                checker.accept(
                    new Entry.Effect(
                        "the inventory service", messages.getOrDefault(order, order))));
  }

  private void arrivals(String topic, Checker checker) {
    for (DemoBroker.Arrival arrival : broker.read(topic)) {
      checker.accept(new Entry.Arrived(arrival.partition(), arrival.offset(), arrival.id()));
    }
  }

  private static void ledger(Database database, String subscription, Checker checker)
      throws SQLException {
    String mine = " WHERE subscription = '" + subscription + "'";
    database
        .rows(
            "SELECT id, position FROM outledger_message",
            row -> new Entry.Stored(id(row, 1), row.getLong(2)))
        .forEach(checker::accept);
    database
        .rows(
            "SELECT id, state = 'dead', blocks FROM outledger_parked" + mine,
            row -> new Entry.Parked(id(row, 1), row.getBoolean(2), row.getBoolean(3)))
        .forEach(checker::accept);
    database
        .rows(
            "SELECT n, incarnation FROM outledger_cursor" + mine,
            row -> new Entry.Changed("cursor", row.getLong(1), row.getString(2)))
        .forEach(checker::accept);
    database
        .rows(
            "SELECT high, open_first, open_last FROM outledger_subscription" + mine,
            row -> new Entry.Cursor(row.getLong(1), positions(row)))
        .forEach(checker::accept);
  }

  private static Positions positions(ResultSet row) throws SQLException {
    return Positions.ofRanges(numbers(row.getArray(2)), numbers(row.getArray(3)));
  }

  private static long[] numbers(Array array) throws SQLException {
    return java.util.Arrays.stream((Long[]) array.getArray()).mapToLong(Long::longValue).toArray();
  }

  private static Entry.Wrote wrote(ResultSet row) throws SQLException {
    return new Entry.Wrote(row.getString(1), row.getLong(2), id(row, 3), CommitOutcome.COMMITTED);
  }

  private static UUID id(ResultSet row, int column) throws SQLException {
    return row.getObject(column, UUID.class);
  }
}
