// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.util.List;

/**
 * What subscriptions have read past and not settled, and the transactions that may keep it so.
 *
 * @param ranges the open ranges, by subscription and position; at most {@value #RANGES_MAX} of each
 *     subscription
 * @param isMore whether a subscription has more
 * @param blockers the open transactions that write the ledger, the oldest first, in a sentence: the
 *     holes wait for them
 */
public record Holes(List<OpenRange> ranges, boolean isMore, String blockers) {

  /** No more ranges of a subscription are listed. */
  public static final int RANGES_MAX = 100;

  /**
   * Positions that follow each other and are not settled.
   *
   * @param subscription the subscription's name
   * @param partition its partition, 0 for the only one
   * @param first the first position
   * @param last the last position
   * @param visible how many messages are visible there. At the other positions are holes: no
   *     transaction has committed a message there, yet
   */
  public record OpenRange(
      String subscription, int partition, long first, long last, Count visible) {

    /** Returns whether nothing is visible at one of its positions. */
    public boolean hasHole() {
      return !visible.isMore() && visible.number() < last - first + 1;
    }
  }
}
