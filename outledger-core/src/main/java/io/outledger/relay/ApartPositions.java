// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.frontier.Positions;

/**
 * Which open positions the database keeps apart from the cursor's row. Each save writes the whole
 * row, so it must stay small: where it would list too many holes that sleep, all of them move to
 * rows of their own, which are written once and changed only where a hole ends.
 */
final class ApartPositions {

  private final int rangesInRowMax;

  /** What is kept apart, as the last save left it; and of that, what is no longer open. */
  private Positions saved;

  private Positions ended = Positions.NONE;

  /** Holes that sleep and are not kept apart. */
  private Positions asleepInRow = Positions.NONE;

  ApartPositions(Positions saved, int rangesInRowMax) {
    this.saved = saved;
    this.rangesInRowMax = rangesInRowMax;
  }

  Positions saved() {
    return saved;
  }

  Positions asleepInRow() {
    return asleepInRow;
  }

  /** Returns what the next save is to keep apart. */
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

  /** Takes what a save has kept apart. */
  void saved(Positions next) {
    asleepInRow = asleepInRow.minus(next);
    saved = next;
    ended = Positions.NONE;
  }
}
