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

  /**
   * Takes back what others have still to carry out, or a part of it, in the transaction of a step.
   * That it is being stopped is written with the first part: whoever goes on after a crash takes
   * back the rest. What it has come to is counted after that, since others may have done more.
   *
   * @param why why, for people; nothing where it is being stopped already
   */
  default RequestStep stop(Connection transaction, RequestRow row, String why) throws SQLException {
    TakenBack taken = takeBack(transaction, row);
    Stopping stopping = Stopping.of(row, why).and(taken.rows());
    String place = stopping.place();
    if (place != null) {
      stopping = stopping.at(without(place, taken));
    }
    SoFar sofar = stopping.place() == null ? SoFar.told(row) : soFar(transaction, row, stopping);
    return stopping.step(row, taken.rest(), sofar);
  }

  /** Returns what one that was begun has come to by now, and what is left of it. */
  default SoFar soFar(Connection transaction, RequestRow row, Stopping stopping)
      throws SQLException {
    return SoFar.told(row);
  }

  /** Returns where the work stands once something was taken back. */
  default String without(String place, TakenBack taken) {
    return place;
  }

  /** Takes back a part of what others have still to carry out, and says of how many rows. */
  default TakenBack takeBack(Connection transaction, RequestRow row) throws SQLException {
    return TakenBack.NOTHING;
  }
}
