// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import java.util.function.LongConsumer;

/**
 * Tries something from one seed after the other, and names the seed that it failed with. The system
 * property {@code outledger.seed} has it tried with that one alone; {@code outledger.seeds} says
 * how many at most.
 */
public final class Seeds {

  private Seeds() {}

  /** Returns how many seeds are tried where a test asks for this number. */
  public static int count(int wanted) {
    return Long.getLong("outledger.seed") == null
        ? Math.min(wanted, Integer.getInteger("outledger.seeds", wanted))
        : 1;
  }

  /** Tries with seeds from 1 on. */
  public static void each(int wanted, LongConsumer trial) {
    long first = Long.getLong("outledger.seed", 1);
    for (long seed = first; seed < first + count(wanted); seed++) {
      try {
        trial.accept(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Doutledger.seed=" + seed, e);
      }
    }
  }
}
