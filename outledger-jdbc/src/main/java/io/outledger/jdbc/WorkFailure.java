// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Causes;
import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.RedactedSqlException;
import io.outledger.jdbc.spi.SqlErrors;
import java.sql.SQLException;
import java.util.Optional;

/** Explains what a handler threw: whether the database is at fault, or the handler. */
final class WorkFailure {

  private WorkFailure() {}

  /**
   * Returns what to throw for a failed handler: a {@link StoreException} if the database serves no
   * handler now, so that no attempt is counted; else what the handler threw.
   */
  static Exception of(SqlErrors errors, Exception thrown) {
    if (thrown instanceof OutledgerException) {
      return thrown; // its code says it
    }
    Optional<SQLException> answer = answer(thrown);
    if (answer.isEmpty()) {
      return thrown;
    }
    ErrorClass found = errors.classOf(answer.get());
    return found.blame() == ErrorClass.Blame.DATABASE
        ? new StoreException(
            found.code(),
            "the database of a handler "
                + (found.code() == ErrorCode.SERVER_IN_RECOVERY
                    ? "is a standby or read-only"
                    : "was unreachable, has no room or failed")
                + "; no attempt is counted: "
                + said(answer.get()),
            thrown)
        : thrown;
  }

  /**
   * Returns what a database answered, however a library has wrapped it; empty if none did. An
   * exception without SQLSTATE may be the handler's own.
   */
  static Optional<SQLException> answer(Throwable thrown) {
    return Causes.of(thrown).stream()
        .filter(SQLException.class::isInstance)
        .map(SQLException.class::cast)
        .filter(each -> each.getSQLState() != null || SqlErrors.isOfConnection(each))
        .findFirst();
  }

  /** Returns what a database answered, without the values of a row. */
  static String said(SQLException answer) {
    return RedactedSqlException.firstLine(answer) + " (SQLSTATE " + answer.getSQLState() + ")";
  }
}
