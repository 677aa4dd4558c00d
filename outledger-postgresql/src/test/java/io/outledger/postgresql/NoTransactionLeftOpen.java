// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.time.Duration;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails each class of tests that leaves a transaction open on the server which its JVM's tests
 * share: it would keep the holes of the next class's ledger open. Registered for all classes.
 */
public final class NoTransactionLeftOpen implements AfterAllCallback {

  /** A session whose client has gone may take a moment to end. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Override
  public void afterAll(ExtensionContext context) {
    Await.until(
        () -> context.getDisplayName() + " leaves open: " + Postgres.openTransactionsOnShared(),
        PATIENCE,
        () -> Postgres.openTransactionsOnShared().isEmpty());
  }
}
