// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

/**
 * How many open positions and holes a relay keeps track of.
 *
 * @param openRangesMax the number of ranges of open positions at which the relay stops reading
 *     ahead; 1 or more
 * @param rangesInRowMax the maximum number of ranges of holes in the cursor's row; zero or more. A
 *     hole stays listed until no transaction can fill it. Further ranges move to rows of their own,
 *     because every save rewrites the cursor's row and it must stay small
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
