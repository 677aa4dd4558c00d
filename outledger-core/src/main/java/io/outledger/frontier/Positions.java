// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import io.outledger.Require;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.StringJoiner;
import java.util.function.LongConsumer;

/**
 * An immutable set of positions, kept as disjoint, ascending ranges that do not touch.
 *
 * <p>Every operation takes time in proportion to the number of ranges, not of positions; what a
 * small set has in common with a large one is found in time that hardly grows with the large one.
 */
public final class Positions {

  /** The set of none. */
  public static final Positions NONE = new Positions(new long[0]);

  private static final int RANGES_TOLD_MAX = 20;

  /** Pairs of first and last position, both included. */
  private final long[] bounds;

  private Positions(long[] bounds) {
    this.bounds = bounds;
  }

  /** Returns the positions from first to last, both included; none where last is below first. */
  public static Positions range(long first, long last) {
    return last < first ? NONE : new Positions(new long[] {first, last});
  }

  /** Returns the set of the given positions, in any order. */
  public static Positions of(long... positions) {
    Require.nonNull("positions", positions);
    long[] sorted = positions.clone();
    Arrays.sort(sorted);
    PositionsBuilder builder = new PositionsBuilder();
    for (long position : sorted) {
      builder.add(position, position);
    }
    return builder.build();
  }

  /**
   * Returns the set of the given ranges, as {@link #firsts()} and {@link #lasts()} gave them.
   *
   * @throws IllegalArgumentException if the arrays do not match or are not ascending
   */
  public static Positions ofRanges(long[] firsts, long[] lasts) {
    Require.nonNull("firsts", firsts);
    Require.nonNull("lasts", lasts);
    if (firsts.length != lasts.length) {
      throw new IllegalArgumentException("firsts and lasts differ in length");
    }
    PositionsBuilder builder = new PositionsBuilder();
    for (int i = 0; i < firsts.length; i++) {
      builder.add(firsts[i], lasts[i]);
    }
    return builder.build();
  }

  static Positions ofBounds(long[] bounds) {
    return bounds.length == 0 ? NONE : new Positions(bounds);
  }

  /** Returns whether there is none. */
  public boolean isEmpty() {
    return bounds.length == 0;
  }

  /** Returns how many positions there are. */
  public long size() {
    long size = 0;
    for (int i = 0; i < bounds.length; i += 2) {
      size += bounds[i + 1] - bounds[i] + 1;
    }
    return size;
  }

  /** Returns how many ranges there are. */
  public int ranges() {
    return bounds.length / 2;
  }

  /**
   * Returns the lowest position.
   *
   * @throws NoSuchElementException if there is none
   */
  public long first() {
    if (isEmpty()) {
      throw new NoSuchElementException("no positions");
    }
    return bounds[0];
  }

  /** Returns whether the position is in the set. */
  public boolean contains(long position) {
    int at = Arrays.binarySearch(bounds, position);
    // Between a first and a last one: where it would stand, -at - 1, is odd.
    return at >= 0 || at % 2 == 0;
  }

  /** Returns the positions that are in this set, the other, or both. */
  public Positions union(Positions other) {
    Require.nonNull("other", other);
    if (isEmpty()) {
      return other;
    }
    if (other.isEmpty()) {
      return this;
    }
    if (other.isFarAbove(this)) {
      return followedBy(other);
    }
    if (isFarAbove(other)) {
      return other.followedBy(this);
    }
    PositionsBuilder builder = new PositionsBuilder();
    int mine = 0;
    int theirs = 0;
    while (mine < bounds.length || theirs < other.bounds.length) {
      boolean takeMine =
          theirs >= other.bounds.length
              || (mine < bounds.length && bounds[mine] <= other.bounds[theirs]);
      if (takeMine) {
        builder.add(bounds[mine], bounds[mine + 1]);
        mine += 2;
      } else {
        builder.add(other.bounds[theirs], other.bounds[theirs + 1]);
        theirs += 2;
      }
    }
    return builder.build();
  }

  /** Returns whether all of these are above the other's, and do not touch them. */
  private boolean isFarAbove(Positions other) {
    return bounds[0] - other.bounds[other.bounds.length - 1] > 1;
  }

  private boolean isApartFrom(Positions other) {
    return bounds[0] > other.bounds[other.bounds.length - 1]
        || other.bounds[0] > bounds[bounds.length - 1];
  }

  private Positions followedBy(Positions higher) {
    long[] both = Arrays.copyOf(bounds, bounds.length + higher.bounds.length);
    System.arraycopy(higher.bounds, 0, both, bounds.length, higher.bounds.length);
    return new Positions(both);
  }

  /** Returns the positions of this set that are not in the other. */
  public Positions minus(Positions other) {
    Require.nonNull("other", other);
    if (isEmpty() || other.isEmpty() || isApartFrom(other)) {
      return this;
    }
    PositionsBuilder builder = new PositionsBuilder();
    int theirs = 0;
    for (int mine = 0; mine < bounds.length; mine += 2) {
      long from = bounds[mine];
      long to = bounds[mine + 1];
      theirs = other.firstEndingAtOrAbove(from, theirs);
      int cut = theirs;
      while (cut < other.bounds.length && other.bounds[cut] <= to) {
        builder.add(from, other.bounds[cut] - 1);
        from = Math.max(from, other.bounds[cut + 1] + 1);
        cut += 2;
      }
      builder.add(from, to);
    }
    return builder.build();
  }

  /** Returns where the first range begins, from an index on, that ends at the position or above. */
  private int firstEndingAtOrAbove(long position, int from) {
    if (from >= bounds.length || bounds[from + 1] >= position) {
      return from; // most often, where both sets are alike
    }
    int low = from / 2 + 1;
    int high = bounds.length / 2;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (bounds[2 * middle + 1] < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return 2 * low;
  }

  /** Returns the positions that are in both sets. */
  public Positions intersection(Positions other) {
    Require.nonNull("other", other);
    return ranges() <= other.ranges() ? minus(minus(other)) : other.minus(other.minus(this));
  }

  /** Returns the positions whose neighbours are not in the set. */
  public Positions alone() {
    PositionsBuilder builder = new PositionsBuilder();
    for (int i = 0; i < bounds.length; i += 2) {
      if (bounds[i] == bounds[i + 1]) {
        builder.add(bounds[i], bounds[i]);
      }
    }
    return builder.build();
  }

  /** Returns the ranges that the other set does not have, with just these bounds, among its own. */
  public Positions withoutRangesOf(Positions other) {
    Require.nonNull("other", other);
    PositionsBuilder builder = new PositionsBuilder();
    int theirs = 0;
    for (int mine = 0; mine < bounds.length; mine += 2) {
      while (theirs < other.bounds.length && other.bounds[theirs] < bounds[mine]) {
        theirs += 2;
      }
      boolean isTheirs =
          theirs < other.bounds.length
              && other.bounds[theirs] == bounds[mine]
              && other.bounds[theirs + 1] == bounds[mine + 1];
      if (!isTheirs) {
        builder.add(bounds[mine], bounds[mine + 1]);
      }
    }
    return builder.build();
  }

  /** Returns the ranges in which there is a position of the other set. */
  public Positions rangesWith(Positions other) {
    Require.nonNull("other", other);
    PositionsBuilder builder = new PositionsBuilder();
    int theirs = 0;
    for (int mine = 0; mine < bounds.length; mine += 2) {
      theirs = other.firstEndingAtOrAbove(bounds[mine], theirs);
      if (theirs < other.bounds.length && other.bounds[theirs] <= bounds[mine + 1]) {
        builder.add(bounds[mine], bounds[mine + 1]);
      }
    }
    return builder.build();
  }

  /** Calls with each position, lowest first; for small sets. */
  public void forEach(LongConsumer action) {
    Require.nonNull("action", action);
    for (int i = 0; i < bounds.length; i += 2) {
      for (long position = bounds[i]; position <= bounds[i + 1]; position++) {
        action.accept(position);
      }
    }
  }

  /** Returns the first position of each range, ascending. */
  public long[] firsts() {
    return every(0);
  }

  /** Returns the last position of each range, ascending. */
  public long[] lasts() {
    return every(1);
  }

  private long[] every(int offset) {
    long[] result = new long[ranges()];
    for (int i = 0; i < result.length; i++) {
      result[i] = bounds[2 * i + offset];
    }
    return result;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Positions that && Arrays.equals(bounds, that.bounds);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bounds);
  }

  /** Returns the first ranges for people, such as {@code [3, 5-9]}, and how many more there are. */
  @Override
  public String toString() {
    StringJoiner joiner = new StringJoiner(", ", "[", "]");
    int told = Math.min(ranges(), RANGES_TOLD_MAX);
    for (int i = 0; i < 2 * told; i += 2) {
      joiner.add(bounds[i] == bounds[i + 1] ? "" + bounds[i] : bounds[i] + "-" + bounds[i + 1]);
    }
    if (told < ranges()) {
      joiner.add(ranges() - told + " more ranges up to " + bounds[bounds.length - 1]);
    }
    return joiner.toString();
  }
}
