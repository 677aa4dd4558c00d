// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Given;
import io.outledger.StoreException;
import java.sql.SQLException;

/** Says what a failed statement means to a relay, which tries again, and to an operator. */
public final class StoreFailure {

  private StoreFailure() {}

  /**
   * Returns what to throw in a relay.
   *
   * @param doing what failed, such as {@code reading the ledger}
   */
  public static StoreException of(SqlErrors errors, String doing, SQLException cause) {
    Given.check("errors", errors);
    Given.check("doing", doing);
    Given.check("cause", cause);
    return of(errors, doing, cause, "the relay retries with a new connection");
  }

  /**
   * Returns what to throw to an operator, for whom nothing is tried again.
   *
   * @param doing what failed, such as {@code deleting subscription kafka}
   */
  public static StoreException ofOperator(SqlErrors errors, String doing, SQLException cause) {
    Given.check("errors", errors);
    Given.check("doing", doing);
    Given.check("cause", cause);
    return of(errors, doing, cause, "check whether the change took effect, then retry");
  }

  private static StoreException of(
      SqlErrors errors, String doing, SQLException cause, String advice) {
    ErrorClass found = errors.classOf(cause);
    boolean isDown = found.endsSession() || found.blame() == ErrorClass.Blame.DATABASE;
    String what =
        isDown
            ? "the database was unreachable or failed while " + doing + "; " + advice
            : "the database refused a statement while " + doing + remedy(found);
    return new StoreException(
        found.code(),
        what + ": " + RedactedSqlException.firstLine(cause),
        RedactedSqlException.of(cause));
  }

  private static String remedy(ErrorClass found) {
    return found == ErrorClass.RIGHT_MISSING
        ? "; grant the role the rights that docs/schema.md lists"
        : "";
  }
}
