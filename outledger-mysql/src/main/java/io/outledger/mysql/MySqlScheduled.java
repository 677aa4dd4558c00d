// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.jdbc.sql.ScheduledBySql;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The messages that wait for their time. Thread-safe. */
final class MySqlScheduled extends ScheduledBySql {

  private static final String NOTHING = "";
  private static final Message NOBODY = Message.to("nobody", "nothing").build();
  private static final String BEFORE = "outledger_look";

  private static final String REPLACE =
      """
      REPLACE INTO {schema}.outledger_scheduled
             (number, id, version, topic, type, payload, due_at, scheduled_at)
      VALUES (?, ?, 1, '', '', '', '9999-12-31', '9999-12-31')\
      """;
  private static final int WAS_THERE = 2; // one row less, and one more

  private final Tables tables;

  MySqlScheduled(Tables tables) {
    super(tables, NOTHING);
    this.tables = tables;
  }

  /**
   * What the snapshot shows may have been moved since, and a DELETE that finds nothing locks a gap,
   * as {@link #cancelUnseen} says. So there is something to find: another row takes the place of
   * the message, which tells whether it was there, and waits for whoever is at it. If the message
   * is gone, it may wait for a transaction that has cancelled the next one.
   */
  @Override
  protected int cancelSeen(Connection transaction, long number) throws SQLException {
    int replaced = Sql.in(tables, transaction, REPLACE, number, NOBODY.id()).update();
    remove(transaction, number);
    return replaced == WAS_THERE ? 1 : 0;
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
