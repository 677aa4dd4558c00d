// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.StoreException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says, to whoever owns the transaction, what a failed statement of the write side means. A relay
 * has {@link StoreFailure}: it tries again by itself, and an application's transaction never does.
 */
final class WriteFailure {

  // Of the server's own end: admin shutdown, crash, cannot connect now, database dropped, idle
  // session; too many connections; idle in transaction; transaction too long.
  private static final Set<String> CONNECTION_STATES =
      Set.of("57P01", "57P02", "57P03", "57P04", "57P05", "53300", "25P03", "25P04");

  private static final Set<String> RETRY_STATES = Set.of("40001", "40P01", "55P03");

  private WriteFailure() {}

  /**
   * Returns the exception to throw.
   *
   * @param doing what was being done, such as {@code append 3 messages}
   */
  static OutledgerException of(SQLException failure, String doing) {
    String state = failure.getSQLState();
    SQLException plain = Undetailed.of(failure);
    if (isConnection(failure)) {
      return new StoreException(
          ErrorCode.STORE_UNAVAILABLE,
          text(failure, doing, "the connection is lost, or the server cannot be reached"),
          plain);
    }
    if ("25006".equals(state)) {
      return new ConfigurationException(
          ErrorCode.SERVER_IN_RECOVERY,
          text(
              failure,
              doing,
              "the server is a standby, or the transaction is read-only;"
                  + " use the primary and a transaction that may write"),
          plain);
    }
    if ("42P01".equals(state) || "3F000".equals(state)) {
      return new ConfigurationException(
          ErrorCode.SCHEMA_MISSING,
          text(
              failure,
              doing,
              "the tables are not there; apply the schema, or name the one they are in"),
          plain);
    }
    String advice = isRetry(state) ? "roll back and try the whole transaction again" : "roll back";
    return new StoreException(ErrorCode.STORE_FAILED, text(failure, doing, advice), plain);
  }

  /** Returns whether it is the connection that failed, so that a commit's outcome is unknown. */
  static boolean isConnection(SQLException failure) {
    String state = failure.getSQLState();
    return state == null || state.startsWith("08") || CONNECTION_STATES.contains(state);
  }

  private static boolean isRetry(@Nullable String state) {
    return state != null && RETRY_STATES.contains(state);
  }

  private static String text(SQLException failure, String doing, String advice) {
    return "could not "
        + doing
        + ": "
        + advice
        + " (SQLSTATE "
        + failure.getSQLState()
        + ", "
        + Undetailed.firstLine(failure)
        + ")";
  }
}
