// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.quarkus;

import io.outledger.Outbox;
import io.outledger.jdbc.Outledger;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.transaction.TransactionManager;

/** Runs the relay while the application runs. */
@Singleton
final class Relays {

  private final Outledger outledger;
  private final Outbox outbox;
  private final JtaTransactions transactions;
  private final TransactionManager manager;
  private final Invoices invoices;

  Relays(
      Outledger outledger,
      Outbox outbox,
      JtaTransactions transactions,
      TransactionManager manager,
      Invoices invoices) {
    this.outledger = outledger;
    this.outbox = outbox;
    this.transactions = transactions;
    this.manager = manager;
    this.invoices = invoices;
  }

  void start(@Observes StartupEvent started) {
    outledger
        .relay("shop")
        .handler(
            "invoices",
            () -> new JtaTransaction(manager, transactions),
            outbox,
            handlers -> handlers.on(OrderPlaced.class, (order, context) -> invoices.write(order)))
        .start();
  }

  /** Lets messages in flight end, and hands the lease over. */
  void stop(@Observes ShutdownEvent stopping) {
    outledger.close();
  }
}
