// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import javax.sql.DataSource;

/** Says what a failed statement means to a relay, which tries again, and to an operator. */
public final class StoreFailure {

  private StoreFailure() {}

  /**
   * Returns what to throw in a relay.
   *
   * @param doing what failed, such as {@code reading the ledger}
   */
  public static StoreException of(SqlErrors errors, String doing, SQLException cause) {
    Require.nonNull("errors", errors);
    Require.nonNull("doing", doing);
    Require.nonNull("cause", cause);
    return of(errors, doing, cause, "the relay retries with a new connection");
  }

  /**
   * Returns what to throw to an operator, for whom nothing is tried again.
   *
   * @param doing what failed, such as {@code deleting subscription kafka}
   */
  public static StoreException ofOperator(SqlErrors errors, String doing, SQLException cause) {
    Require.nonNull("errors", errors);
    Require.nonNull("doing", doing);
    Require.nonNull("cause", cause);
    return of(errors, doing, cause, "check whether the change took effect, then retry");
  }

  /**
   * Takes a connection from a pool, for a transaction of its own.
   *
   * @param doing what it is for, such as {@code purging messages}
   * @throws StoreException {@code OUT-016} if none can be had; it says whether the pool is
   *     exhausted
   */
  public static Connection connection(DataSource dataSource, String doing) {
    Require.nonNull("dataSource", dataSource);
    Require.nonNull("doing", doing);
    try {
      return dataSource.getConnection();
    } catch (SQLException e) {
      String what =
          isExhausted(e)
              ? "the pool had no connection to give for %s, because all were in use; give it one"
                  + " for each relay, handler thread and request, or find what keeps them"
              : "could not get a connection for %s; check that the database is up and that the"
                  + " pool has a connection for each relay, handler thread and request";
      throw new StoreException(
          ErrorCode.STORE_UNAVAILABLE,
          what.formatted(doing) + ": " + RedactedSqlException.firstLine(e),
          RedactedSqlException.of(e));
    }
  }

  // A pool that times out since no connection could be opened passes that failure on.
  private static boolean isExhausted(SQLException failure) {
    return failure instanceof SQLTransientConnectionException
        && failure.getSQLState() == null
        && failure.getCause() == null
        && failure.getNextException() == null;
  }

  private static StoreException of(
      SqlErrors errors, String doing, SQLException cause, String advice) {
    ErrorClass found = errors.classOf(cause);
    boolean isDown = found.code().isOutage() && found != ErrorClass.TABLES_MISSING;
    String what =
        isDown
            ? "the database was unreachable or failed while " + doing + "; " + advice
            : "the database refused a statement while " + doing + remedy(found, cause);
    return new StoreException(
        found.code(),
        what + ": " + RedactedSqlException.firstLine(cause),
        RedactedSqlException.of(cause));
  }

  private static String remedy(ErrorClass found, SQLException cause) {
    return found == ErrorClass.RIGHT_MISSING ? "; " + MissingRight.remedy(cause, Map.of()) : "";
  }
}
