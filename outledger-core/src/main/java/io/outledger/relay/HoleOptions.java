// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

/**
 * How many open positions and holes a relay carries along.
 *
 * @param openRangesMax how many ranges of open positions stop the reading ahead; 1 or more
 * @param rangesInRowMax how many ranges of holes the cursor's row lists while they wait for the
 *     transactions that may fill them; zero or more. Where there are more, they move to rows of
 *     their own, so that the row, which each save writes, stays small
 */
public record HoleOptions(int openRangesMax, int rangesInRowMax) {

  /** The defaults. */
  public static final HoleOptions DEFAULT = new HoleOptions(200_000, 200);

  /** Returns these options with another number of open ranges. */
  public HoleOptions withOpenRangesMax(int value) {
    return new HoleOptions(value, rangesInRowMax);
  }

  /** Returns these options with another number of ranges in the cursor's row. */
  public HoleOptions withRangesInRowMax(int value) {
    return new HoleOptions(openRangesMax, value);
  }
}
