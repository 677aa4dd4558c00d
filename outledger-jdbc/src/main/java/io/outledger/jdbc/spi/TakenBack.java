// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;

/**
 * What was taken back, in one transaction, of what waits for its owner with a request that is being
 * stopped.
 *
 * @param rows of how many rows: not of those that their owner has locked, since it may have ended
 *     with them
 * @param rest what is left
 */
public record TakenBack(long rows, Rest rest) {

  /** Nothing was there to be taken back, and nothing is left. */
  public static final TakenBack NOTHING = new TakenBack(0, Rest.NONE);

  /** What is left of that which waits. */
  public enum Rest {
    /** Nothing is left, locked or not. */
    NONE,
    /** There may be more, which can be taken back at once. */
    MORE,
    /** What is left is locked by others: it is to be looked for again when they have ended. */
    LOCKED
  }

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public TakenBack {
    Require.nonNull("rest", rest);
  }

  /**
   * Returns what a batch has come to, in which what others have locked was passed over.
   *
   * @param taken how many were taken back
   * @param limit how many could have been
   * @param isAnyLeft whether some are left, locked or not
   */
  static TakenBack of(int taken, int limit, boolean isAnyLeft) {
    Rest ofBatch = isAnyLeft ? Rest.LOCKED : Rest.NONE;
    return new TakenBack(taken, taken == limit ? Rest.MORE : ofBatch);
  }
}
