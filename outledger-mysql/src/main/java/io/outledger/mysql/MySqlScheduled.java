// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.jdbc.sql.ScheduledBySql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The messages that wait for their time. Thread-safe. */
final class MySqlScheduled extends ScheduledBySql {

  private static final String NOTHING = "";
  private static final Message NOBODY = Message.to("nobody", "nothing").build();
  private static final String BEFORE = "outledger_look";

  MySqlScheduled(Tables tables) {
    super(tables, NOTHING);
  }

  /**
   * At REPEATABLE READ a DELETE that finds nothing locks the gap in which it has looked, until the
   * transaction ends: whatever is scheduled into that gap waits, and two who have locked it and
   * then schedule something end in a deadlock. An insertion sees what was committed since the
   * snapshot, too, and fails where something waits under the name, which the DELETE then finds.
   * Where it succeeds it is rolled back, and leaves neither a row nor a lock.
   */
  @Override
  protected int cancelUnseen(Connection transaction, String name) throws SQLException {
    if (transaction.getTransactionIsolation() < Connection.TRANSACTION_REPEATABLE_READ) {
      return clear(transaction, name);
    }
    execute(transaction, "SAVEPOINT " + BEFORE);
    boolean isFree = insert(transaction, NOBODY, Delivery.after(Delivery.AFTER_MAX).named(name));
    if (isFree) {
      execute(transaction, "ROLLBACK TO SAVEPOINT " + BEFORE);
    }
    execute(transaction, "RELEASE SAVEPOINT " + BEFORE);
    return isFree ? 0 : clear(transaction, name);
  }

  private static void execute(Connection transaction, String text) throws SQLException {
    try (Statement statement = transaction.createStatement()) {
      statement.execute(text);
    }
  }
}
