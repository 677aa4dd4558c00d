// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.sql.TransactionMark;
import java.sql.SQLException;

/**
 * SQLite's error classes, by its own result codes. The driver gives the first byte of a code as a
 * number, and the whole one by name, at the beginning of the message.
 */
final class SqliteErrors implements SqlErrors {

  static final SqliteErrors TABLE = new SqliteErrors();

  private static final int RESULT_CODE = 0xff;

  private SqliteErrors() {}

  @Override
  public ErrorClass classOf(SQLException failure) {
    if (failure.getSQLState() != null) {
      return ofState(failure.getSQLState());
    }
    if (SqlErrors.isOfConnection(failure)) {
      return ErrorClass.CONNECTION_LOST;
    }
    return switch (failure.getErrorCode() & RESULT_CODE) {
      // The driver's own: a connection or a statement that was closed; a file that is not there.
      case 0, 14 -> ErrorClass.CONNECTION_LOST;
      case 1 -> isAbout(failure, "no such table") ? ErrorClass.TABLES_MISSING : ErrorClass.REFUSED;
      case 3, 23 -> ErrorClass.RIGHT_MISSING;
      case 5, 6 -> isSnapshotOld(failure) ? ErrorClass.RACE : ErrorClass.LOCK_TIMEOUT;
      // No memory, a failure to read or write, a damaged file.
      case 7, 10, 11, 26 -> ErrorClass.SERVER_FAILED;
      case 8 ->
          isAbout(failure, "SQLITE_READONLY_DBMOVED")
              ? ErrorClass.CONNECTION_LOST
              : ErrorClass.READ_ONLY;
      case 9 -> ErrorClass.STATEMENT_TIMEOUT;
      case 13 -> ErrorClass.DISK_FULL;
      case 17 -> ErrorClass.RACE; // the schema has changed
      case 19 -> ofConstraint(failure);
      default -> ErrorClass.REFUSED;
    };
  }

  private static ErrorClass ofState(String state) {
    if (state.startsWith("08")) {
      return ErrorClass.CONNECTION_LOST;
    }
    return switch (state) {
      case "40001" -> ErrorClass.RACE;
      case TransactionMark.ENDED -> ErrorClass.TRANSACTION_FAILED;
      default -> ErrorClass.REFUSED;
    };
  }

  private static ErrorClass ofConstraint(SQLException failure) {
    return isAbout(failure, "SQLITE_CONSTRAINT_PRIMARYKEY")
            || isAbout(failure, "SQLITE_CONSTRAINT_UNIQUE")
            || isAbout(failure, "SQLITE_CONSTRAINT_ROWID")
        ? ErrorClass.DUPLICATE_KEY
        : ErrorClass.REFUSED;
  }

  private static boolean isAbout(SQLException failure, String what) {
    return failure.getMessage() != null && failure.getMessage().contains(what);
  }

  static boolean isDuplicate(SQLException failure) {
    return TABLE.classOf(failure) == ErrorClass.DUPLICATE_KEY;
  }

  /** Returns whether a statement wanted to end a transaction, and none is open. */
  static boolean isWithoutTransaction(SQLException failure) {
    return isAbout(failure, "no transaction is active");
  }

  /** Returns whether a statement wanted to begin a transaction, and one is open. */
  static boolean isWithinTransaction(SQLException failure) {
    return isAbout(failure, "cannot start a transaction within a transaction");
  }

  /** Returns whether a statement named a savepoint, and there is none of that name. */
  static boolean isWithoutSavepoint(SQLException failure) {
    return isAbout(failure, "no such savepoint");
  }

  /** Returns whether a transaction that had read wants to write, and another has written since. */
  static boolean isSnapshotOld(SQLException failure) {
    return isAbout(failure, "SQLITE_BUSY_SNAPSHOT");
  }
}
