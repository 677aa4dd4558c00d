// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.event.Events;
import javax.sql.DataSource;

/** Makes outboxes whose wake-ups a test sees. */
public final class OutboxBench {

  private OutboxBench() {}

  /** Makes one of the tables in the default schema. */
  public static JdbcOutbox outbox(
      DataSource dataSource, JdbcTransactions transactions, Runnable wakeup) {
    Appending appending =
        new Appending(Events.builder().build(), Databases.find(dataSource, null), new Life());
    return new JdbcOutbox(appending, transactions, wakeup);
  }
}
