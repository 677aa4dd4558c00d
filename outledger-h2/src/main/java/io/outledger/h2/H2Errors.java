// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.sql.TransactionMark;
import java.sql.SQLException;

/** H2's error classes, by its own error codes. */
final class H2Errors implements SqlErrors {

  static final H2Errors TABLE = new H2Errors();

  private H2Errors() {}

  @Override
  public ErrorClass classOf(SQLException failure) {
    if (failure.getSQLState() == null || SqlErrors.isOfConnection(failure)) {
      return ErrorClass.CONNECTION_LOST;
    }
    return switch (failure.getErrorCode()) {
      // An object or the database is closed, is open elsewhere, or shuts down.
      case 90007, 90020, 90067, 90098, 90121, 90135 -> ErrorClass.CONNECTION_LOST;
      // A general error; no memory, no disk, a damaged file.
      case 50000, 90028, 90030, 90031, 90108 -> ErrorClass.SERVER_FAILED;
      case 90097 -> ErrorClass.READ_ONLY;
      case 42102, 42103, 42104, 90079 -> ErrorClass.TABLES_MISSING;
      case 90040, 90096 -> ErrorClass.RIGHT_MISSING;
      case 40001, 90131 -> ErrorClass.RACE;
      case 50200 -> ErrorClass.LOCK_TIMEOUT;
      case 57014 -> ErrorClass.STATEMENT_TIMEOUT;
      case 23505 -> ErrorClass.DUPLICATE_KEY;
      default -> ofState(failure.getSQLState());
    };
  }

  private static ErrorClass ofState(String state) {
    if (state.startsWith("08")) {
      return ErrorClass.CONNECTION_LOST;
    }
    if (TransactionMark.ENDED.equals(state)) {
      return ErrorClass.TRANSACTION_FAILED;
    }
    return "40001".equals(state) ? ErrorClass.RACE : ErrorClass.REFUSED;
  }

  static boolean isDuplicate(SQLException failure) {
    return TABLE.classOf(failure) == ErrorClass.DUPLICATE_KEY;
  }

  /** Returns whether two transactions met and the whole of this one is to be done again. */
  static boolean isRace(SQLException failure) {
    return TABLE.classOf(failure) == ErrorClass.RACE;
  }
}
