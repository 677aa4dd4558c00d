// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.jooq;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import java.util.List;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** Takes orders: the order and its event are saved together, or not at all. */
final class Orders {

  // jOOQ's code generator would write these.
  private static final Table<Record> ORDERS = table("orders");
  private static final Field<String> ID = field("id", String.class);
  private static final Field<Integer> CENTS = field("cents", Integer.class);

  private final DSLContext database;
  private final JooqOutbox outbox;

  Orders(DSLContext database, JooqOutbox outbox) {
    this.database = database;
    this.outbox = outbox;
  }

  void place(String orderId, int cents) {
    database.transaction(transaction -> place(transaction, orderId, cents));
  }

  /** Places an order in a transaction that is open. */
  void place(Configuration transaction, String orderId, int cents) {
    transaction.dsl().insertInto(ORDERS).columns(ID, CENTS).values(orderId, cents).execute();
    outbox.in(transaction).append(new OrderPlaced(orderId, cents));
  }

  List<String> ids() {
    return database.select(ID).from(ORDERS).orderBy(ID).fetch(ID);
  }
}
