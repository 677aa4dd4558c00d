// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.micronaut;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.outledger.Outbox;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** What the application injects. */
@Factory
final class OutledgerFactory {

  /**
   * Makes the Outledger, on the pool behind Micronaut's proxy: its relays hold a connection each,
   * and begin and commit by themselves. When the application ends, it lets messages in flight end
   * and hands its leases over.
   */
  @Singleton
  @Bean(preDestroy = "close")
  Outledger outledger(DataSource database) {
    DataSource pool = DelegatingDataSource.unwrapDataSource(database);
    Tables.create(pool);
    return Outledger.builder(pool)
        .serializer(JacksonSerializer.create())
        .events(
            events ->
                events.register(
                    OrderPlaced.class,
                    type -> type.name("order.placed").topic("orders").key(OrderPlaced::orderId)))
        .build();
  }

  /** Makes the outbox, which appends on the connection of the running transaction. */
  @Singleton
  Outbox outbox(Outledger outledger, MicronautTransactions transactions) {
    return outledger.outbox().boundTo(transactions);
  }
}
