// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

/**
 * How much is parked, by state.
 *
 * @param retrying what is tried again
 * @param held what waits behind a parked message of its key
 * @param dead the dead letters
 */
public record ParkedCounts(Count retrying, Count held, Count dead) {

  /** Nothing is parked. */
  public static final ParkedCounts NONE = new ParkedCounts(Count.NONE, Count.NONE, Count.NONE);
}
