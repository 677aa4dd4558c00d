// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.SqlErrors;
import java.sql.BatchUpdateException;
import java.sql.SQLException;

/** PostgreSQL's error classes, by SQLSTATE. */
final class PostgresErrors implements SqlErrors {

  static final PostgresErrors TABLE = new PostgresErrors();

  private PostgresErrors() {}

  @Override
  public ErrorClass classOf(SQLException failure) {
    String state = failure.getSQLState();
    if (state == null || SqlErrors.isOfConnection(failure)) {
      return ErrorClass.CONNECTION_LOST;
    }
    return switch (state) {
      // Too many connections.
      case "53300" -> ErrorClass.CONNECTION_LOST;
      // A transaction was idle, or open, for too long.
      case "25P03", "25P04" -> ErrorClass.SESSION_TIMEOUT;
      case "53100" -> ErrorClass.DISK_FULL;
      case "25006" -> ErrorClass.READ_ONLY;
      case "25P02" -> ErrorClass.TRANSACTION_FAILED;
      case "42P01", "3F000" ->
          isWithinFunction(failure) ? ErrorClass.REFUSED : ErrorClass.TABLES_MISSING;
      case "42501" -> ErrorClass.RIGHT_MISSING;
      case "40001", "40P01" -> ErrorClass.RACE;
      case "55P03" -> ErrorClass.LOCK_TIMEOUT;
      case "57014" -> ErrorClass.STATEMENT_TIMEOUT;
      case "23505" -> ErrorClass.DUPLICATE_KEY;
      // No transaction numbers are left until the database is vacuumed; or a statement's own limit.
      case "54000" -> ErrorClass.LIMIT_EXCEEDED;
      // A limit of the configuration that this statement exceeds, such as that of temporary files.
      case "53400" -> ErrorClass.REFUSED;
      default -> ofGroup(state);
    };
  }

  private static ErrorClass ofGroup(String state) {
    if (state.startsWith("08") || state.startsWith("57P")) {
      return ErrorClass.CONNECTION_LOST; // by the network, or the server that stops or ends it
    }
    if (state.startsWith("53") || state.startsWith("58")) {
      return ErrorClass.SERVER_FAILED; // no memory; its system failed
    }
    return ErrorClass.REFUSED;
  }

  // Such as that of an application's trigger: no function of Outledger's reads a table, so none of
  // its tables is missing.
  private static boolean isWithinFunction(SQLException failure) {
    SQLException next = failure.getNextException();
    return PostgresDriver.isWithinFunction(
        failure instanceof BatchUpdateException && next != null ? next : failure);
  }

  static boolean isDuplicate(SQLException failure) {
    return TABLE.classOf(failure) == ErrorClass.DUPLICATE_KEY;
  }

  /** Returns whether two transactions met and the whole of this one is to be done again. */
  static boolean isRace(SQLException failure) {
    return TABLE.classOf(failure) == ErrorClass.RACE;
  }
}
