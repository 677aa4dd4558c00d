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
   * handler now, so that no attempt is counted; else what the handler threw. Outledger's own append
   * and commit have met the limit of a session, too, that the handler has spent.
   */
  static Exception of(SqlErrors errors, Exception thrown) {
    return of(errors, thrown, answer(thrown));
  }

  /**
   * The same for a commit, in which no handler runs: what a pool says without SQLSTATE, such as
   * that the connection is closed, tells of the database, too.
   */
  static Exception ofCommit(SqlErrors errors, Exception thrown) {
    return of(errors, thrown, answerToCommit(thrown));
  }

  private static Exception of(SqlErrors errors, Exception thrown, Optional<SQLException> answer) {
    if (isOutage(thrown)
        && answer.isPresent()
        && errors.classOf(answer.get()) == ErrorClass.SESSION_TIMEOUT) {
      return tookTooLong(answer.get(), thrown);
    }
    if (thrown instanceof OutledgerException) {
      return thrown; // its code says it
    }
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

  /** Returns whether it says by its code that something is not available. */
  static boolean isOutage(Throwable thrown) {
    return thrown instanceof OutledgerException ours && ours.code().isOutage();
  }

  private static StoreException tookTooLong(SQLException answer, Exception thrown) {
    return new StoreException(
        ErrorCode.STORE_FAILED,
        "the server ended a handler's session, because its transaction took or waited too long; the"
            + " database is well: have the handler take less time, or raise the server's limit: "
            + said(answer),
        thrown);
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

  /** Returns what a database or its pool answered to a commit; empty if none did. */
  static Optional<SQLException> answerToCommit(Throwable thrown) {
    return answer(thrown)
        .or(
            () ->
                Causes.of(thrown).stream()
                    .filter(SQLException.class::isInstance)
                    .map(SQLException.class::cast)
                    .findFirst());
  }

  /** Returns what a database answered, without the values of a row. */
  static String said(SQLException answer) {
    return RedactedSqlException.firstLine(answer) + " (SQLSTATE " + answer.getSQLState() + ")";
  }
}
