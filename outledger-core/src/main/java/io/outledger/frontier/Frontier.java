// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import io.outledger.Require;

/**
 * The settled positions of a subscription: all positions at or below {@code high} that are not
 * open.
 *
 * <p>Numbers are drawn before commit, so they become visible out of order. A reader that remembered
 * only the highest number would lose what commits late; this one remembers each position that it
 * has passed and not settled. After a crash exactly the open positions and those above {@code high}
 * are read again.
 *
 * @param high the highest position that has been seen; 0 before the first
 * @param open the positions at or below {@code high} that are not settled: holes, and messages
 *     whose publish has not been acknowledged
 */
public record Frontier(long high, Positions open) {

  /** The frontier of a subscription that has seen nothing of a ledger never purged. */
  public static final Frontier START = new Frontier(0, Positions.NONE);

  /** Checks that nothing above {@code high} is open. */
  public Frontier {
    Require.nonNull("open", open);
    if (high < 0) {
      throw new IllegalArgumentException("high is " + high + " but must not be negative");
    }
    int ranges = open.ranges();
    if (ranges > 0 && open.lasts()[ranges - 1] > high) {
      throw new IllegalArgumentException("open position above high: " + open);
    }
  }

  /**
   * Returns the frontier after the ledger was read up to a position: all that was passed is open
   * until it is settled. The same frontier where the position is not above {@code high}.
   */
  public Frontier readTo(long position) {
    return position <= high
        ? this
        : new Frontier(position, open.union(Positions.range(high + 1, position)));
  }

  /**
   * Returns the frontier without the given open positions; positions that are not open are ignored.
   */
  public Frontier settle(Positions settled) {
    Require.nonNull("settled", settled);
    return settled.isEmpty() ? this : new Frontier(high, open.minus(settled));
  }

  /** Returns the lowest position that is not settled: the first that a restart would read. */
  public long lowest() {
    return open.isEmpty() ? high + 1 : open.first();
  }

  /** Returns whether the position is settled. */
  public boolean isSettled(long position) {
    return position <= high && !open.contains(position);
  }
}
