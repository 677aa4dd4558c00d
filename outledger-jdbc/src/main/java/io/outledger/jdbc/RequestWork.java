// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.TakenBack;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What a verb does, one bounded step a transaction. One is made for each step.
 *
 * <p>It throws {@link io.outledger.ConfigurationException} if the request cannot be done at all:
 * the transaction is rolled back, and the request is refused with that error.
 */
interface RequestWork {

  /** Does in transactions of its own what may take long and changes nothing. */
  default void prepare(RequestRow row) {}

  /**
   * Does the next step in the transaction that has locked the request's row.
   *
   * @return what it has come to; empty if what was prepared is out of date: the transaction is
   *     rolled back, and all of the step is done again
   */
  Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException;

  /**
   * What a request has come to.
   *
   * @param done how many are done
   * @param result what is told of it
   */
  record SoFar(long done, String result) {

    /** Returns what was told last. */
    static SoFar told(RequestRow row) {
      return new SoFar(row.status().done(), row.status().result());
    }
  }

  /** Returns what it has come to when it is stopped: others may have done more since its step. */
  default SoFar atStop(Connection transaction, RequestRow row) throws SQLException {
    boolean isUnderway = row.place() != null && !RequestStep.STOPPING.equals(row.place());
    return isUnderway ? soFar(transaction, row) : SoFar.told(row);
  }

  /** Returns what one that was begun has come to by now, and what is left of it. */
  default SoFar soFar(Connection transaction, RequestRow row) throws SQLException {
    return SoFar.told(row);
  }

  /** Takes back, in the transaction of a step, a part of what others have still to carry out. */
  default TakenBack takeBack(Connection transaction, RequestRow row) throws SQLException {
    return TakenBack.ALL;
  }
}
