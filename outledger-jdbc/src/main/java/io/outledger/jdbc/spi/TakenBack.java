// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.util.List;

/**
 * What was taken back, in one transaction, of what waits for its owner with a request that is being
 * stopped.
 *
 * @param places of which rows, by their positions, or by the numbers of a consumer's: not of those
 *     that their owner has locked, since it may have ended with them
 * @param rest what is left
 */
public record TakenBack(List<Long> places, Rest rest) {

  /** Nothing was there to be taken back, and nothing is left. */
  public static final TakenBack NOTHING = new TakenBack(List.of(), Rest.NONE);

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
   * Keeps a copy of the places.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public TakenBack {
    places = List.copyOf(Require.nonNull("places", places));
    Require.nonNull("rest", rest);
  }

  /** Returns of how many rows. */
  public long rows() {
    return places.size();
  }

  /**
   * Returns what a batch has come to, in which what others have locked was passed over.
   *
   * @param taken the places of those that were taken back
   * @param limit how many could have been
   * @param isAnyLeft whether some are left, locked or not
   */
  static TakenBack of(List<Long> taken, int limit, boolean isAnyLeft) {
    Rest ofBatch = isAnyLeft ? Rest.LOCKED : Rest.NONE;
    return new TakenBack(taken, taken.size() == limit ? Rest.MORE : ofBatch);
  }
}
