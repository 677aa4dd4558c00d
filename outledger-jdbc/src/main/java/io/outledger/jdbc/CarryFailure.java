// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.Printable;
import io.outledger.jdbc.spi.RedactedSqlException;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a failure in another database means for the message that was to be carried there. */
final class CarryFailure {

  private static final Logger LOG = LoggerFactory.getLogger(CarryFailure.class);
  private static final int CAUSES_MAX = 20;

  private CarryFailure() {}

  static Outcome outcome(SqlErrors errors, Message message, Throwable failure) {
    if (failure instanceof InvalidMessageException) {
      return Outcome.refused(String.valueOf(failure.getMessage()));
    }
    if (failure instanceof DestinationUnavailableException
        || (failure instanceof OutledgerException ours && isAway(ours.code()))) {
      return Outcome.unavailable(String.valueOf(failure.getMessage()));
    }
    SQLException refused = sql(failure);
    if (refused != null) {
      return ofDatabase(errors, refused);
    }
    LOG.warn(
        "The handler that carries {} into another database failed.",
        message,
        Printable.trace(failure));
    return Outcome.suspect(failure.getClass().getName() + ": " + failure.getMessage());
  }

  /** Whether the other database takes nothing now, or its tables are not there: no message's. */
  private static boolean isAway(ErrorCode code) {
    return switch (code) {
      case STORE_UNAVAILABLE,
          SERVER_IN_RECOVERY,
          SCHEMA_MISSING,
          SCHEMA_OLDER,
          SCHEMA_NEWER,
          CLOSED ->
          true;
      default -> false;
    };
  }

  private static Outcome ofDatabase(SqlErrors errors, SQLException failure) {
    String said =
        "the other database answered "
            + RedactedSqlException.firstLine(failure)
            + " (SQLSTATE "
            + failure.getSQLState()
            + ")";
    return switch (errors.classOf(failure)) {
      case CONNECTION_LOST, SERVER_FAILED, READ_ONLY -> Outcome.unavailable(said);
      case TABLES_MISSING, RIGHT_MISSING, RACE, LOCK_TIMEOUT, TRANSACTION_FAILED ->
          Outcome.suspect(said);
      case DUPLICATE_KEY, REFUSED -> Outcome.rejected(said);
    };
  }

  /** Returns what the database said, however a library has wrapped it; null if it said nothing. */
  private static @Nullable SQLException sql(Throwable failure) {
    Throwable at = failure;
    for (int i = 0; at != null && i < CAUSES_MAX; i++) {
      if (at instanceof SQLException sql) {
        return sql;
      }
      at = at.getCause();
    }
    return null;
  }
}
