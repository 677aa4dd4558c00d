// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.MessageLimits;
import io.outledger.Require;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import java.time.Instant;

/**
 * Where a subscription starts when it is made. Read once: a cursor that exists is not moved by it.
 */
public sealed interface Start {

  /** At the first message that the ledger still has. */
  record Earliest() implements Start {

    @Override
    public String toString() {
      return "the earliest message";
    }
  }

  /**
   * After everything that is committed now. Exact: each hole at or below the highest visible
   * position is open, so what commits afterwards is delivered, and nothing before.
   */
  record Now() implements Start {

    @Override
    public String toString() {
      return "what is committed from now on";
    }
  }

  /**
   * At a position, whether or not anything is visible there.
   *
   * @param position the first that is read, 1 or more
   */
  record AtPosition(long position) implements Start {

    /**
     * Checks that it is a position.
     *
     * @throws ConfigurationException {@code OUT-021} if it is less than 1
     */
    public AtPosition {
      if (position < 1) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION, "position is " + position + " but must be 1 or more");
      }
    }

    @Override
    public String toString() {
      return "position " + position;
    }
  }

  /**
   * At the lowest visible position whose message has this time or a later one, with each hole below
   * it open; as {@link Now} where there is none.
   *
   * @param time the time, compared with that of messages, which their writers' clocks set
   */
  record AtTime(Instant time) implements Start {

    /**
     * Checks that it is a time that a message may have.
     *
     * @throws ConfigurationException {@code OUT-021} if it is null, or {@link MessageLimits#allows}
     *     says no
     */
    public AtTime {
      if (!MessageLimits.allows(Require.nonNull("time", time))) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION,
            "time is " + time + " but must be in the years 1 to 9999, UTC");
      }
    }

    @Override
    public String toString() {
      return "the first message since " + time;
    }
  }

  /**
   * Returns the frontier of a subscription that was moved back to a start: that of the start, and
   * all that its last owner had not settled at or below it, such as messages that are not committed
   * yet.
   *
   * @param before the frontier that it was moved from, overflow included
   * @param found the frontier of a subscription that is made at this start now
   */
  static Frontier afterMove(Frontier before, Frontier found) {
    Require.nonNull("before", before);
    Require.nonNull("found", found);
    long high = found.high();
    return new Frontier(
        high, found.open().union(before.open().intersection(Positions.range(1, high))));
  }

  /**
   * Returns the frontier of a subscription that has skipped to a start: what either has settled
   * stays settled. So what an owner has settled since the start was found does not come again.
   *
   * @param before the frontier that it skips from, overflow included
   * @param found the frontier of a subscription that is made at this start
   */
  static Frontier afterSkip(Frontier before, Frontier found) {
    Require.nonNull("before", before);
    Require.nonNull("found", found);
    long high = Math.max(before.high(), found.high());
    Positions open = before.readTo(high).open().intersection(found.readTo(high).open());
    return new Frontier(high, open);
  }

  /**
   * Returns whether a move to a start passes over nothing.
   *
   * @param high the highest position that is settled there
   * @param reached the highest that the cursor has settled, or that retention has removed
   */
  static boolean mayMove(Start start, long high, long reached) {
    return !(Require.nonNull("start", start) instanceof Now) && high <= reached;
  }

  /**
   * Returns whether a skip to a start is carried out. Not where its cursor stands beyond, and
   * nothing is left to pass over. At the cursor's own place it is: an engine that follows the
   * cursor's row starts again from there.
   *
   * @param before what the cursor has settled of this ledger
   * @param found what one that is made at this start has settled
   */
  static boolean maySkip(Start start, Frontier before, Frontier found) {
    return Require.nonNull("start", start) instanceof Now
        || Require.nonNull("found", found).high() >= Require.nonNull("before", before).high()
        || !afterSkip(before, found).equals(before);
  }

  /** The default: the first message that the ledger still has. */
  Start EARLIEST = new Earliest();

  /** After everything that is committed now. */
  Start NOW = new Now();

  /**
   * Returns the start at a position.
   *
   * @throws ConfigurationException {@code OUT-021} if it is less than 1
   */
  static Start at(long position) {
    return new AtPosition(position);
  }

  /**
   * Returns the start at a time.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null, or no message may have it: it is
   *     not in the years 1 to 9999
   */
  static Start at(Instant time) {
    return new AtTime(time);
  }
}
