// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.jooq;

import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** The application: its parts, wired by hand. */
final class Shop implements AutoCloseable {

  private final DSLContext database;
  private final Outledger outledger;
  private final Orders orders;

  Shop(DataSource dataSource) {
    database = DSL.using(dataSource, SQLDialect.POSTGRES);
    outledger =
        Outledger.builder(dataSource)
            .serializer(JacksonSerializer.create())
            .events(
                events ->
                    events.register(
                        OrderPlaced.class,
                        type ->
                            type.name("order.placed").topic("orders").key(OrderPlaced::orderId)))
            .build();
    orders = new Orders(database, new JooqOutbox(outledger.outbox()));
  }

  /** A real application would leave this to its migration tool. */
  static void createTables(DataSource dataSource) {
    Schema.of(dataSource).apply(dataSource);
    DSL.using(dataSource, SQLDialect.POSTGRES)
        .execute("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, cents INT NOT NULL)");
  }

  DSLContext database() {
    return database;
  }

  Outledger outledger() {
    return outledger;
  }

  Orders orders() {
    return orders;
  }

  @Override
  public void close() {
    outledger.close();
  }
}
