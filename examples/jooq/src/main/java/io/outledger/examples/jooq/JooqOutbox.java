// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.jooq;

import io.outledger.Outbox;
import io.outledger.jdbc.JdbcOutbox;
import org.jooq.Configuration;

/** Appends in the transactions that jOOQ runs. All that an application needs to join the two. */
final class JooqOutbox {

  private final JdbcOutbox outbox;

  JooqOutbox(JdbcOutbox outbox) {
    this.outbox = outbox;
  }

  /** Returns the outbox of a transaction, for as long as that is open. */
  Outbox in(Configuration transaction) {
    return events ->
        transaction.dsl().connectionResult(connection -> outbox.append(connection, events));
  }
}
