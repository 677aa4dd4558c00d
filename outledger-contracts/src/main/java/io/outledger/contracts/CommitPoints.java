// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The points at which a process can die while it does something: each of its commits, right before
 * the database gets it and right after.
 *
 * <p>To die at each takes long, so there are two tests of each story: one dies at all points and is
 * tagged {@link #LONG}, the other at every fourth. From which point it counts is the system
 * property {@code outledger.quarter}, 0 to 3 (0 unless set). A project that tries the contract on
 * four databases gives each another number, and dies at every point on one of them.
 */
final class CommitPoints {

  /** Tag of the tests that die at all points. */
  static final String LONG = "long";

  private static final int QUARTERS = 4;
  private static final int QUARTER =
      Math.floorMod(Integer.getInteger("outledger.quarter", 0), QUARTERS);

  private CommitPoints() {}

  /** What happens where the process dies, with what has to hold afterwards. */
  interface Trial {

    /**
     * Has it die at a commit.
     *
     * @param commit at which, 1 for the first
     * @param after whether the database has committed by then
     * @return whether it came to that commit; not where it did not die
     */
    boolean killedAt(int commit, boolean after) throws Exception;
  }

  /** Dies at all points of a story, and at last at none. */
  static void tryAll(Trial trial) throws Exception {
    assertThat(diesAt(0, 1, trial)).as("points at which it died").isPositive();
  }

  /**
   * Dies at every fourth point of a story, and at last at none.
   *
   * @param story its number, where a test has several: so that each begins with another point
   */
  static void tryQuarter(int story, Trial trial) throws Exception {
    diesAt((QUARTER + story) % QUARTERS, QUARTERS, trial);
  }

  /** Returns at how many points it died. */
  private static int diesAt(int first, int step, Trial trial) throws Exception {
    int point = first;
    int deaths = 0;
    while (trial.killedAt(1 + point / 2, point % 2 == 1)) {
      point += step;
      deaths++;
    }
    return deaths;
  }
}
