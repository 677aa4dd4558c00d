// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.micronaut;

import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.transaction.SynchronousTransactionManager;
import io.outledger.Outbox;
import io.outledger.jdbc.Outledger;
import jakarta.inject.Singleton;
import java.sql.Connection;

/** Starts the relay with the application; the end of the {@link Outledger} stops it. */
@Singleton
final class Relays implements ApplicationEventListener<StartupEvent> {

  private final Outledger outledger;
  private final Outbox outbox;
  private final SynchronousTransactionManager<Connection> manager;
  private final Invoices invoices;

  Relays(
      Outledger outledger,
      Outbox outbox,
      SynchronousTransactionManager<Connection> manager,
      Invoices invoices) {
    this.outledger = outledger;
    this.outbox = outbox;
    this.manager = manager;
    this.invoices = invoices;
  }

  @Override
  public void onApplicationEvent(StartupEvent started) {
    outledger
        .relay("shop")
        .handler(
            "invoices",
            () -> new MicronautTransaction(manager),
            outbox,
            handlers -> handlers.on(OrderPlaced.class, (order, context) -> invoices.write(order)))
        .start();
  }
}
