// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.KeyLocks;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The one lock that SQLite has for writers, taken in a transaction of the user: all keys share it.
 * Whoever waits longer than the connection's {@code busy_timeout} fails.
 */
record WriteLock(Tables tables) implements KeyLocks {

  // A statement that changes nothing, and locks as one that changes something.
  private static final String TAKE = "DELETE FROM {schema}.outledger_retention WHERE one = 0";

  @Override
  public void lock(Connection transaction, List<String> keys) throws SQLException {
    take(transaction);
  }

  /**
   * Waits for whoever writes, and shuts others out until the transaction ends. Taken before the
   * first read, it lets the transaction see all that was committed before.
   *
   * @throws SQLException of class RACE if the transaction had read before another one wrote
   */
  void take(Connection transaction) throws SQLException {
    try {
      Sql.in(tables, transaction, TAKE).update();
    } catch (SQLException e) {
      throw explained(e);
    }
  }

  /** Says what to do about a transaction that had read before another one wrote. */
  static SQLException explained(SQLException failure) {
    if (!SqliteErrors.isSnapshotOld(failure)) {
      return failure;
    }
    return new SQLException(
        "this transaction had read before another one wrote, so SQLite lets it read on but not"
            + " write: begin it with the lock for writers (transaction_mode=IMMEDIATE in the"
            + " driver's URL or properties), or write before it reads: "
            + failure.getMessage(),
        "40001",
        failure.getErrorCode(),
        failure);
  }
}
