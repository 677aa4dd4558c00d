// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.reading;

import io.outledger.frontier.Positions;

/**
 * Which open positions the database keeps beside the cursor's row. Each save writes the whole row,
 * so it must stay small: where it would list too many holes that sleep, all of them move to rows of
 * their own, which are written once and changed only where a hole ends.
 */
final class OverflowPositions {

  private final int rangesInRowMax;

  /** The positions stored beside the row by the last save, and those of them no longer open. */
  private Positions saved;

  private Positions ended = Positions.NONE;

  /** Holes that sleep and are listed in the row. */
  private Positions asleepInRow = Positions.NONE;

  OverflowPositions(Positions saved, int rangesInRowMax) {
    this.saved = saved;
    this.rangesInRowMax = rangesInRowMax;
  }

  Positions saved() {
    return saved;
  }

  Positions asleepInRow() {
    return asleepInRow;
  }

  /** Returns the positions that the next save is to store beside the row. */
  Positions next() {
    Positions still = saved.minus(ended);
    return asleepInRow.ranges() > rangesInRowMax ? still.union(asleepInRow) : still;
  }

  void fallenAsleep(Positions holes) {
    asleepInRow = asleepInRow.union(holes.minus(saved));
  }

  void woken(Positions positions) {
    asleepInRow = asleepInRow.minus(positions);
  }

  /** Notes positions that are no longer open. */
  void settled(Positions positions) {
    asleepInRow = asleepInRow.minus(positions);
    ended = ended.union(positions.intersection(saved));
  }

  /** Takes what a save has kept beside the row. */
  void saved(Positions next) {
    asleepInRow = asleepInRow.minus(next);
    saved = next;
    ended = Positions.NONE;
  }
}
