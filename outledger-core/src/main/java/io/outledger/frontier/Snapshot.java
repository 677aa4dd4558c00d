// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import java.util.Set;

/**
 * What a poll's snapshot says of transactions. It knows none that was given its id after any that
 * has ended: such a one may be at work, and draw numbers, without being told of.
 *
 * @param edge one above the highest id of those that had ended; who was running is told below it
 *     alone
 * @param running the transactions with an id below the edge that had not ended
 */
public record Snapshot(long edge, Set<Long> running) {

  /**
   * Returns whether the transaction had certainly ended; its rows are visible, or never will be.
   */
  public boolean hasEnded(long transactionId) {
    return transactionId < edge && !running.contains(transactionId);
  }

  /** Returns the lowest id of those that had not ended: all below it had. */
  public long horizon() {
    return running.stream().mapToLong(Long::longValue).min().orElse(edge);
  }
}
