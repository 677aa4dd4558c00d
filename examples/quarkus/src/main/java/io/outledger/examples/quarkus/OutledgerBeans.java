// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.quarkus;

import io.agroal.api.AgroalDataSource;
import io.outledger.Outbox;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.quarkus.agroal.DataSource;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** What the application injects. */
@Dependent
final class OutledgerBeans {

  /**
   * Makes the Outledger, on a data source of its own that takes no part in JTA: its relays hold a
   * connection each, and begin and commit by themselves.
   */
  @Produces
  @Singleton
  Outledger outledger(@DataSource("outledger") AgroalDataSource own) {
    Tables.create(own);
    return Outledger.builder(own)
        .serializer(JacksonSerializer.create())
        .events(
            events ->
                events.register(
                    OrderPlaced.class,
                    type -> type.name("order.placed").topic("orders").key(OrderPlaced::orderId)))
        .build();
  }

  /** Makes the outbox, which appends on the connection of the running JTA transaction. */
  @Produces
  @Singleton
  Outbox outbox(Outledger outledger, JtaTransactions transactions) {
    return outledger.outbox().boundTo(transactions);
  }
}
