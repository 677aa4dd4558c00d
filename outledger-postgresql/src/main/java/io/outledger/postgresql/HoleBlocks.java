// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import java.util.List;
import java.util.TreeSet;

/**
 * The rows of {@link HoleTable} that differ between two sets of open ranges.
 *
 * @param emptied the blocks in which no range begins any more
 * @param written all ranges of the other blocks that differ
 */
record HoleBlocks(List<Long> emptied, Positions written) {

  static HoleBlocks between(Positions before, Positions after) {
    TreeSet<Long> changed = new TreeSet<>();
    addBlocks(before.withoutRangesOf(after), changed);
    addBlocks(after.withoutRangesOf(before), changed);
    PositionsBuilder written = new PositionsBuilder();
    TreeSet<Long> emptied = new TreeSet<>(changed);
    long[] firsts = after.firsts();
    long[] lasts = after.lasts();
    for (int i = 0; !changed.isEmpty() && i < firsts.length; i++) {
      long block = block(firsts[i]);
      if (changed.contains(block)) {
        emptied.remove(block);
        written.add(firsts[i], lasts[i]);
      }
    }
    return new HoleBlocks(List.copyOf(emptied), written.build());
  }

  private static void addBlocks(Positions ranges, TreeSet<Long> blocks) {
    for (long first : ranges.firsts()) {
      blocks.add(block(first));
    }
  }

  private static long block(long position) {
    return position / HoleTable.BLOCK;
  }
}
