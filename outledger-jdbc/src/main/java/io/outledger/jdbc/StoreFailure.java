// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;

/** Tells a database that cannot be reached from one that refuses a statement. */
final class StoreFailure {

  static final String UNIQUE_VIOLATION = "23505";

  private StoreFailure() {}

  /**
   * Returns what to throw.
   *
   * @param doing what failed, such as {@code reading the ledger}
   */
  static StoreException of(String doing, SQLException cause) {
    return isUnreachable(cause)
        ? new StoreException(
            ErrorCode.STORE_UNAVAILABLE,
            "the database could not be reached, or failed in the middle, while "
                + doing
                + "; it is tried again with a new connection: "
                + Undetailed.firstLine(cause),
            Undetailed.of(cause))
        : new StoreException(
            ErrorCode.STORE_FAILED,
            "the database refused a statement while " + doing + ": " + Undetailed.firstLine(cause),
            Undetailed.of(cause));
  }

  /**
   * Returns what to throw to an operator, for whom nothing is tried again.
   *
   * @param doing what failed, such as {@code deleting subscription kafka}
   */
  static StoreException ofOperator(String doing, SQLException cause) {
    return isUnreachable(cause)
        ? new StoreException(
            ErrorCode.STORE_UNAVAILABLE,
            "the database could not be reached, or failed in the middle, while "
                + doing
                + "; where it had begun, look whether it took effect, or do it again: "
                + Undetailed.firstLine(cause),
            Undetailed.of(cause))
        : of(doing, cause);
  }

  /** Returns whether two transactions met and the whole of this one is to be done again. */
  static boolean isRace(SQLException failure) {
    return "40001".equals(failure.getSQLState()) || "40P01".equals(failure.getSQLState());
  }

  static boolean isUniqueViolation(SQLException failure) {
    return UNIQUE_VIOLATION.equals(failure.getSQLState());
  }

  private static boolean isUnreachable(SQLException failure) {
    String state = failure.getSQLState();
    return failure instanceof SQLTransientConnectionException
        || failure instanceof SQLNonTransientConnectionException
        || failure instanceof SQLRecoverableException
        || state == null
        || state.startsWith("08") // connection
        || state.startsWith("57P") // the server stops, or ended our session
        || state.startsWith("53") // no resources: connections, disk, memory
        || state.startsWith("58") // the server's system failed
        || state.equals("25P03") // our transaction was idle for too long
        || state.equals("25006"); // the server takes no writes
  }
}
