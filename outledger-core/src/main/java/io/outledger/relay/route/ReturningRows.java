// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.parking.Load;
import io.outledger.time.TimeSource;

/**
 * The parked rows of one route that have come back to be tried: how many there may be at a time,
 * and whether reading waits for them.
 *
 * <p>After an outage a route may have more rows to work off than its share. A message that is read
 * meanwhile must be held behind the rows of its key, which costs more than to publish it: if as
 * many were read as come to their end, the route would never catch up. So beyond the route's share
 * one message may be held for every two rows that have ended; if none has ended for a second,
 * waiting gains nothing.
 */
final class ReturningRows {

  private static final int ENDED_FOR_ONE_HELD = 2;
  private static final Load ONE_MORE = new Load(1, 0);
  private static final long PATIENCE_NANOS = 1_000_000_000L;

  private final RouteShare share;
  private final TimeSource time;
  private Load underway = Load.NONE;
  private boolean isBehind;
  private long credit;
  private long endedAt;

  ReturningRows(RouteShare share, TimeSource time) {
    this.share = share;
    this.time = time;
    this.endedAt = time.nanoTime() - PATIENCE_NANOS;
    review(0);
  }

  /**
   * Returns whether more rows may be brought back now: those underway take memory. What a breaker
   * keeps back does not count, because it is bounded by itself, and must not stop what can go out.
   */
  boolean hasRoom(Breakers breakers) {
    Load tried = underway.minus(breakers.load());
    return tried.messages() <= 0 || !share.isExceededBy(tried.plus(ONE_MORE));
  }

  /**
   * Takes that a row goes from one state to another. One that was underway and ends, published,
   * passed over or dead, pays for others; a message that is read and held behind rows of its key is
   * paid for.
   */
  void move(Delivery delivery, RowState from, RowState to) {
    if (to == RowState.UNDERWAY) {
      underway = underway.plus(delivery.load());
    } else if (from == RowState.UNDERWAY) {
      underway = underway.minus(delivery.load());
      if (to.isEnd()) {
        credit++;
        endedAt = time.nanoTime();
      }
    } else if (to == RowState.HELD) {
      credit -= ENDED_FOR_ONE_HELD;
    }
  }

  /** Takes that a row that was underway is where it was before. */
  void putBack(Delivery row) {
    underway = underway.minus(row.load());
  }

  /** Takes how many rows could be published now, one after the other of each key. */
  void review(long freeRows) {
    isBehind = freeRows > (isBehind ? 0 : share.messages());
    if (!isBehind) {
      credit = (long) share.messages() * ENDED_FOR_ONE_HELD;
    }
  }

  /** Returns whether the rows go before what could be read now. */
  boolean goFirst() {
    return isBehind && credit <= 0 && time.nanoTime() - endedAt < PATIENCE_NANOS;
  }
}
