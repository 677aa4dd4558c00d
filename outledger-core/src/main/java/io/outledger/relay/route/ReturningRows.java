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
 *
 * <p>Nobody waits for a row beside its key: the copy of a replay, or a dead letter whose key has
 * gone on. Thousands of them may be due at once, and a message that is read meanwhile queues behind
 * those that were handed over. So only a few of them are underway at a time.
 */
final class ReturningRows {

  /** As many rows as are brought back at once. */
  static final int AT_ONCE_MAX = 200;

  /** As many beside their key: what a destination or a handler takes in some milliseconds. */
  static final int FREE_AT_ONCE_MAX = 25;

  /** Two such turns, so that one can go out while the other is saved. */
  static final int FREE_MAX = 2 * FREE_AT_ONCE_MAX;

  private static final int ENDED_FOR_ONE_HELD = 2;
  private static final Load ONE_MORE = new Load(1, 0);
  private static final long PATIENCE_NANOS = 1_000_000_000L;

  private final RouteShare share;
  private final TimeSource time;
  private Load underway = Load.NONE;

  /** How many of those underway are beside their key, and since when there are any. */
  private int free;

  private long freeFrom;

  /** How many others have come since the last one that is beside its key. */
  private long othersInARow;

  private boolean isBehind;
  private long credit;
  private long endedAt;

  ReturningRows(RouteShare share, TimeSource time) {
    this.share = share;
    this.time = time;
    this.endedAt = time.nanoTime() - PATIENCE_NANOS;
    this.freeFrom = endedAt;
    review(0);
  }

  /**
   * Returns how many rows may be brought back now: those underway take memory, and those beside
   * their key are in the way of others. What a breaker keeps back does not count, because it is
   * bounded by itself, and must not stop what can go out. Where none has ended for a second, more
   * rows are none the worse.
   */
  int room(Breakers breakers) {
    Load kept = breakers.load();
    Load tried = underway.minus(kept);
    if (tried.messages() > 0 && share.isExceededBy(tried.plus(ONE_MORE))) {
      return 0;
    }
    if (free == 0 && othersInARow >= FREE_AT_ONCE_MAX) {
      return AT_ONCE_MAX; // after an outage, say: more of these are due
    }
    boolean waits = isGoingOn() || time.nanoTime() - freeFrom < PATIENCE_NANOS;
    long left = waits ? FREE_MAX - (free - kept.messages()) : FREE_AT_ONCE_MAX;
    return (int) Math.max(0, Math.min(FREE_AT_ONCE_MAX, left));
  }

  /**
   * Takes that a row goes from one state to another. One that was underway and ends, published,
   * passed over or dead, pays for others; a message that is read and held behind rows of its key is
   * paid for.
   */
  void move(Delivery delivery, RowState from, RowState to) {
    if (to == RowState.UNDERWAY) {
      underway = underway.plus(delivery.load());
      othersInARow = delivery.isBeside() ? 0 : othersInARow + 1;
      if (othersInARow == 0 && free++ == 0) {
        freeFrom = time.nanoTime();
      }
    } else if (from == RowState.UNDERWAY) {
      putBack(delivery);
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
    free -= row.isBeside() ? 1 : 0;
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
    return isBehind && credit <= 0 && isGoingOn();
  }

  private boolean isGoingOn() {
    return time.nanoTime() - endedAt < PATIENCE_NANOS;
  }
}
