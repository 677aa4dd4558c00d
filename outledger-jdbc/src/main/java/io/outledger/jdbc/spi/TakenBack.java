// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

/** How much of what waits for its owner was taken back, of a request that is being stopped. */
public enum TakenBack {
  /** Nothing is left, locked or not. */
  ALL,
  /** There may be more, which can be taken back at once. */
  SOME,
  /** What is left is locked by others: it is to be looked for again when they have ended. */
  LOCKED;

  /**
   * Returns what a batch has come to, in which what others have locked was passed over.
   *
   * @param taken how many were taken back
   * @param limit how many could have been
   * @param isAnyLeft whether some are left, locked or not
   */
  static TakenBack of(int taken, int limit, boolean isAnyLeft) {
    if (taken == limit) {
      return SOME;
    }
    return isAnyLeft ? LOCKED : ALL;
  }
}
