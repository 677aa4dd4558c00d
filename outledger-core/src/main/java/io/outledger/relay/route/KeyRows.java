// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.store.LeaseGrant.BlockedKey;
import org.jspecify.annotations.Nullable;

/** The rows that block one key: how many are in which state, and so what may happen with them. */
final class KeyRows {

  private long rows;
  private long waitedFor;
  private int underway;

  /** Whether the one that was waited for last waits until it is resumed. */
  private boolean isUntilResumed;

  /** Whether those underway stand before one that was put back, or may: they must stay, too. */
  private boolean isAnyPutBack;

  /** No row that is held stands before it, of those that were not brought back yet. */
  private @Nullable Place heldFrom;

  void load(BlockedKey key) {
    rows = key.rows();
    waitedFor = key.waiting();
    isUntilResumed = key.untilResumed() > 0;
  }

  /**
   * Takes that a row goes from one state to another. Where one that was waited for goes while held
   * rows are underway, these must stay: they may stand before it in the queue. So must those behind
   * a held row that is put back; when all have stayed, they are brought back again in order.
   */
  void move(Place place, RowState from, RowState to) {
    if (to == RowState.HELD) {
      heldFrom = heldFrom == null || place.compareTo(heldFrom) < 0 ? place : heldFrom;
    } else if (from == RowState.HELD
        && to == RowState.UNDERWAY
        && (heldFrom == null || heldFrom.compareTo(place) <= 0)) {
      heldFrom = place.next(); // held rows are brought back in order
    }
    isAnyPutBack |= from.isWaitedFor() && underway > 0;
    isAnyPutBack |= from == RowState.UNDERWAY && to == RowState.HELD;
    isUntilResumed &= !from.isWaitedFor();
    isUntilResumed |= to == RowState.UNTIL_RESUMED;
    count(from, -1);
    count(to, 1);
    isAnyPutBack &= underway > 0;
  }

  private void count(RowState state, int change) {
    rows += state == RowState.NONE ? 0 : change;
    waitedFor += state.isWaitedFor() ? change : 0;
    underway += state == RowState.UNDERWAY ? change : 0;
  }

  /** Notes that there are no rows after all: somebody has deleted them behind our back. */
  void forget() {
    rows = 0;
    waitedFor = 0;
  }

  boolean isAnyUnderway() {
    return underway > 0;
  }

  /** Returns whether held rows wait for one that is tried later, or when it is resumed. */
  boolean isAnyWaitedFor() {
    return waitedFor > 0;
  }

  /** Returns whether that one waits for the end of a pause, or for an instance. */
  boolean isUntilResumed() {
    return isUntilResumed && isAnyWaitedFor();
  }

  /**
   * Returns whether the row at a place must not be the one that is waited for: another is, or an
   * earlier one is held, and would be held behind it.
   */
  boolean isBehindAny(Place place) {
    boolean isAnyHeld = rows - waitedFor - underway > 0;
    return isAnyWaitedFor() || (isAnyHeld && heldFrom != null && heldFrom.compareTo(place) < 0);
  }

  /** Returns whether held rows must stay where they are, also those underway. */
  boolean heldMustStay() {
    return isAnyWaitedFor() || isAnyPutBack;
  }

  /** Returns whether held rows may be brought back now. */
  boolean isReleasable() {
    return rows > 0 && underway == 0 && waitedFor <= 0;
  }

  boolean hasEnded() {
    return rows <= 0 && underway == 0;
  }

  /** Returns how many rows could be published now. */
  long free() {
    return waitedFor <= 0 ? Math.max(0, rows) : 0;
  }
}
