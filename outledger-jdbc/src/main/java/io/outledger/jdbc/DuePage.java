// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.spi.DueMessages.Row;
import java.util.HashSet;
import java.util.Set;

/**
 * Where a mover looks for its next batch.
 *
 * @param passed rows that are passed over, and all that is due behind one of them with its key
 * @param held keys of which nothing is moved, so that their rows need not be looked at
 * @param rows how many are looked at
 * @param most how many are moved
 */
record DuePage(Set<Row> passed, Set<String> held, int rows, int most) {

  private static final int MOVED_MAX = 1_000;
  private static final int ROWS_MAX = 32_000;

  static DuePage first(Set<Row> passed) {
    return new DuePage(passed, Set.of(), MOVED_MAX, MOVED_MAX);
  }

  /** Returns the one after a batch, which has added some to those that are passed over. */
  DuePage after(Set<Row> passedNow, Set<String> heldNow) {
    return new DuePage(passedNow, heldNow, rows, Math.min(MOVED_MAX, most * 2));
  }

  /** Returns one that looks farther, where all rows of this one are passed over. */
  DuePage wider() {
    return new DuePage(passed, held, rows * 2, most);
  }

  /** Returns one that passes over more. */
  DuePage without(Set<Row> more) {
    Set<Row> all = new HashSet<>(passed);
    all.addAll(more);
    return new DuePage(all, held, rows, most);
  }

  /** Returns one that moves half as many: what cannot be moved is found by halves. */
  DuePage half() {
    return new DuePage(passed, held, rows, Math.max(1, most / 2));
  }

  /** Returns whether it is too wide to be looked at. */
  boolean isTooWide() {
    return rows > ROWS_MAX;
  }
}
