// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.log.QuietLog;
import io.outledger.publish.Outcome;
import io.outledger.time.TimeSource;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.event.Level;

/** What a failure in another database means for the message that was to be carried there. */
final class CarryFailure {

  private static final QuietLog LOG =
      new QuietLog(CarryFailure.class, "carrying into another database", TimeSource.system());

  private CarryFailure() {}

  static Outcome outcome(SqlErrors errors, Message message, Throwable failure) {
    if (failure instanceof InvalidMessageException invalid) {
      String reason = String.valueOf(invalid.getMessage());
      return invalid.isForGood() ? Outcome.refused(reason) : Outcome.suspect(reason);
    }
    if (failure instanceof OutledgerException ours && ours.code().isOutage()) {
      return Outcome.unavailable(String.valueOf(failure.getMessage()));
    }
    Optional<SQLException> answer = WorkFailure.answer(failure);
    if (failure instanceof OutledgerException && isOfDatabase(errors, answer)) {
      return Outcome.suspect(failure.getMessage()); // of the handler, as its session has shown
    }
    if (answer.isPresent()) {
      return ofDatabase(errors, answer.get());
    }
    LOG.fails(Level.WARN, "handling", () -> "the handler of " + message + " failed", failure);
    return Outcome.suspect(failure.getClass().getName() + ": " + failure.getMessage());
  }

  private static boolean isOfDatabase(SqlErrors errors, Optional<SQLException> answer) {
    return answer.isPresent() && errors.classOf(answer.get()).blame() == ErrorClass.Blame.DATABASE;
  }

  private static Outcome ofDatabase(SqlErrors errors, SQLException answer) {
    String said = "the other database answered " + WorkFailure.said(answer);
    return switch (errors.classOf(answer).blame()) {
      case DATABASE -> Outcome.unavailable(said);
      case WORK -> Outcome.suspect(said);
      case MESSAGE -> Outcome.rejected(said);
    };
  }
}
