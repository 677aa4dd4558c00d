// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import java.time.Duration;

/** Turns of others in the middle of a turn, and within these again, down to a depth. */
final class NestedTurns {

  private final SimulatedTime time;
  private final int depthMax;
  private final Runnable turn;
  private int depth;

  /**
   * Creates it.
   *
   * @param turn has somebody take one
   */
  NestedTurns(SimulatedTime time, int depthMax, Runnable turn) {
    this.time = time;
    this.depthMax = depthMax;
    this.turn = turn;
  }

  boolean mayBegin() {
    return depth < depthMax;
  }

  /** Lets others take so many turns; none at the greatest depth. */
  void take(int count) {
    if (mayBegin()) {
      depth++;
      for (int taken = 0; taken < count; taken++) {
        turn.run();
      }
      depth--;
    }
  }

  /** Lets a long time pass for everybody else while somebody is frozen. */
  void runFor(Duration duration) {
    if (mayBegin()) {
      depth++;
      long until = time.nanos() + duration.toNanos();
      while (time.nanos() < until) {
        turn.run();
        time.pass(duration.dividedBy(60));
      }
      depth--;
    }
  }
}
