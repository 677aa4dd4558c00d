// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Given;
import java.time.Instant;

/**
 * Where a subscription starts when it is made. Read once: a cursor that exists is not moved by it.
 */
public sealed interface Start {

  /** At the first message that the ledger still has. */
  record Earliest() implements Start {}

  /**
   * After everything that is committed now. Exact: each hole at or below the highest visible
   * position is open, so what commits afterwards is delivered, and nothing before.
   */
  record Now() implements Start {}

  /**
   * At a position, whether or not anything is visible there.
   *
   * @param position the first that is read, 1 or more
   */
  record AtPosition(long position) implements Start {

    /** Checks that it is a position. */
    public AtPosition {
      if (position < 1) {
        throw new IllegalArgumentException("position is " + position + " but must be 1 or more");
      }
    }
  }

  /**
   * At the lowest visible position whose message has this time or a later one, with each hole below
   * it open; as {@link Now} where there is none.
   *
   * @param time the time, compared with that of messages, which their writers' clocks set
   */
  record AtTime(Instant time) implements Start {}

  /** The default: the first message that the ledger still has. */
  Start EARLIEST = new Earliest();

  /** After everything that is committed now. */
  Start NOW = new Now();

  /** Returns the start at a position. */
  static Start at(long position) {
    return new AtPosition(position);
  }

  /** Returns the start at a time. */
  static Start at(Instant time) {
    return new AtTime(Given.check("time", time));
  }
}
