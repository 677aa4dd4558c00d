// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.jdbc.spi.ErrorClass;
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

  private static final String PROBE =
      """
      INSERT INTO {schema}.outledger_scheduled
             (number, id, version, topic, type, payload, due_at, scheduled_at)
      VALUES (?, ?, 1, '', '', '', '9999-12-31', '9999-12-31')\
      """;
  private static final String TAKE_BACK =
      "DELETE FROM {schema}.outledger_scheduled WHERE number = ?";

  private final Tables tables;

  MySqlScheduled(Tables tables) {
    super(tables, NOTHING);
    this.tables = tables;
  }

  /**
   * What the snapshot shows may have been moved since, and a DELETE or an UPDATE that finds nothing
   * locks a gap, as {@link #cancelUnseen} says. An insertion of the same number fails where the row
   * is there, and locks it; where it succeeds, the row is taken back, and no gap is locked.
   */
  @Override
  protected boolean isThere(Connection transaction, long number) throws SQLException {
    if (!locksGaps(transaction)) {
      return true;
    }
    try {
      Sql.in(tables, transaction, PROBE, number, NOBODY.id()).update();
    } catch (SQLException e) {
      if (tables.errors().classOf(e) == ErrorClass.DUPLICATE_KEY) {
        return true;
      }
      throw e;
    }
    Sql.in(tables, transaction, TAKE_BACK, number).update();
    return false;
  }

  private static boolean locksGaps(Connection transaction) throws SQLException {
    return transaction.getTransactionIsolation() >= Connection.TRANSACTION_REPEATABLE_READ;
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
    if (!locksGaps(transaction)) {
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
