// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import java.util.Arrays;

/**
 * Collects ascending ranges into {@link Positions}, joining those that touch or overlap. Not
 * thread-safe.
 */
public final class PositionsBuilder {

  private long[] bounds = new long[8];
  private int length;

  /** Starts with none. */
  public PositionsBuilder() {}

  /**
   * Adds the positions from first to last, both included; nothing where last is below first.
   *
   * @throws IllegalArgumentException if first is below the first of the range added before
   */
  public void add(long first, long last) {
    if (last < first) {
      return;
    }
    if (length > 0) {
      if (first < bounds[length - 2]) {
        throw new IllegalArgumentException("positions must be added in ascending order");
      }
      if (first <= bounds[length - 1] + 1) {
        bounds[length - 1] = Math.max(bounds[length - 1], last);
        return;
      }
    }
    if (length == bounds.length) {
      bounds = Arrays.copyOf(bounds, length * 2);
    }
    bounds[length++] = first;
    bounds[length++] = last;
  }

  /** Returns the positions added so far. */
  public Positions build() {
    return Positions.ofBounds(Arrays.copyOf(bounds, length));
  }
}
