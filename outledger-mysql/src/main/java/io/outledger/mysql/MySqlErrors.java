// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.sql.TransactionMark;
import java.sql.BatchUpdateException;
import java.sql.SQLException;

/** The error classes of both products, by their error codes. */
final class MySqlErrors implements SqlErrors {

  static final MySqlErrors TABLE = new MySqlErrors();

  private MySqlErrors() {}

  @Override
  public ErrorClass classOf(SQLException failure) {
    ErrorClass found = ofCode(failure.getErrorCode());
    if (found != ErrorClass.REFUSED) {
      return found;
    }
    SQLException cause =
        failure instanceof BatchUpdateException && failure.getNextException() != null
            ? failure.getNextException()
            : failure;
    if (cause != failure) {
      return classOf(cause);
    }
    String state = failure.getSQLState();
    if (state == null || SqlErrors.isOfConnection(failure) || state.startsWith("08")) {
      return ErrorClass.CONNECTION_LOST;
    }
    return switch (state) {
      case "40001" -> ErrorClass.RACE;
      case TransactionMark.ENDED -> ErrorClass.TRANSACTION_FAILED;
      default -> ErrorClass.REFUSED;
    };
  }

  private static ErrorClass ofCode(int code) {
    return switch (code) {
      // Too many connections; the server is starting, or shuts down; the session was killed.
      case 1040, 1053, 1077, 1079, 1080, 1129, 1203, 1226, 1927, 2006, 2013, 3168, 4031 ->
          ErrorClass.CONNECTION_LOST;
      // The disk, or the tablespace, is full.
      case 1021, 1114 -> ErrorClass.DISK_FULL;
      // No memory; an error in a file; the storage engine failed.
      case 1037, 1038, 1041, 1030, 1026, 1180, 1181 -> ErrorClass.SERVER_FAILED;
      // A packet that is larger than max_allowed_packet; too large a transaction.
      case 1153, 1197, 2020, 1206 -> ErrorClass.LIMIT_EXCEEDED;
      case 1290, 1792, 1836, 1874, 3100, 3101 -> ErrorClass.READ_ONLY;
      case 1049, 1146 -> ErrorClass.TABLES_MISSING;
      case 1044, 1045, 1142, 1143, 1227, 1370 -> ErrorClass.RIGHT_MISSING;
      case 1213, 1020 -> ErrorClass.RACE;
      case 1205, 3572 -> ErrorClass.LOCK_TIMEOUT;
      case 1317, 1969, 3024 -> ErrorClass.STATEMENT_TIMEOUT;
      case 1062, 1586 -> ErrorClass.DUPLICATE_KEY;
      default -> ErrorClass.REFUSED;
    };
  }

  static boolean isDuplicate(SQLException failure) {
    return TABLE.classOf(failure) == ErrorClass.DUPLICATE_KEY;
  }
}
