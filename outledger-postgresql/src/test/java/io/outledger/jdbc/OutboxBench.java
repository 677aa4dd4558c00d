// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.AppendListener;
import io.outledger.event.Events;
import io.outledger.time.TimeSource;
import javax.sql.DataSource;

/** Makes outboxes whose wake-ups a test sees. */
public final class OutboxBench {

  private OutboxBench() {}

  /** Makes one of the tables in the default schema. */
  public static JdbcOutbox outbox(
      DataSource dataSource, JdbcTransactions transactions, Runnable wakeup) {
    Databases.Located found = Databases.located(dataSource, null);
    Appending appending =
        new Appending(
            Events.builder().build(),
            found.database(),
            new OpenState(),
            new AppendTargets(found.address()),
            new Appending.AppendWatch(AppendListener.NONE, TimeSource.system()));
    Scheduling scheduling = new Scheduling(appending, found.database(), when -> wakeup.run());
    return new JdbcOutbox(appending, scheduling, transactions, wakeup);
  }
}
