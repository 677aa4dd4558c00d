// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.OutledgerException;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.MissingRight;
import io.outledger.jdbc.spi.RedactedSqlException;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.spi.StoreFailure;
import java.sql.SQLException;
import java.util.Map;

/**
 * Explains a failed statement of the write side to the owner of the transaction. A relay has {@link
 * StoreFailure}: it tries again by itself, and an application's transaction never does.
 */
final class WriteFailure {

  // No more is needed of these to append, and nobody else writes to them here.
  private static final Map<String, String> TO_APPEND =
      Map.of("outledger_message", "INSERT", "outledger_message_position", "USAGE");

  private WriteFailure() {}

  /**
   * Returns the exception to throw.
   *
   * @param doing what was being done, such as {@code append 3 messages}
   */
  static OutledgerException of(SqlErrors errors, SQLException failure, String doing) {
    SQLException plain = RedactedSqlException.of(failure);
    ErrorClass found = errors.classOf(failure);
    String text = text(failure, doing, advice(found, failure));
    // A configuration to correct, or a failure that may pass.
    return switch (found) {
      case READ_ONLY, TABLES_MISSING -> new ConfigurationException(found.code(), text, plain);
      default -> new StoreException(found.code(), text, plain);
    };
  }

  /** Returns whether the session has ended, so that a commit's outcome is unknown. */
  static boolean isConnection(SqlErrors errors, SQLException failure) {
    return errors.classOf(failure).endsSession();
  }

  private static String advice(ErrorClass found, SQLException failure) {
    return switch (found) {
      case CONNECTION_LOST -> "the connection is lost, or the server cannot be reached";
      case SESSION_TIMEOUT ->
          "the server ended the session, because the transaction took or waited too long";
      case DISK_FULL -> "the server's disk is full; roll back, and retry later";
      case SERVER_FAILED -> "the server has no room or failed; roll back, and retry later";
      case LIMIT_EXCEEDED ->
          "a limit of the server is exceeded; roll back, and retry when the server allows more";
      case READ_ONLY ->
          "the server is a standby or replica, or it or the transaction is read-only;"
              + " use the primary and a read-write transaction";
      case TABLES_MISSING ->
          "the tables are missing; apply the schema, or configure the schema that contains them";
      case RACE, LOCK_TIMEOUT, STATEMENT_TIMEOUT -> "roll back and retry the whole transaction";
      case TRANSACTION_FAILED -> "an earlier statement of the transaction failed; roll back";
      case RIGHT_MISSING -> "roll back; " + MissingRight.remedy(failure, TO_APPEND);
      case DUPLICATE_KEY, REFUSED -> "roll back";
    };
  }

  private static String text(SQLException failure, String doing, String advice) {
    return "could not "
        + doing
        + ": "
        + advice
        + " (SQLSTATE "
        + failure.getSQLState()
        + ", "
        + RedactedSqlException.firstLine(failure)
        + ")";
  }
}
