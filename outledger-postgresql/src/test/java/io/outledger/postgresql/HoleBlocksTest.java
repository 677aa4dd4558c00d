// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HoleBlocksTest {

  private static final long BLOCK = HoleTable.BLOCK;

  private static Positions ranges(long... bounds) {
    Positions ranges = Positions.NONE;
    for (int i = 0; i < bounds.length; i += 2) {
      ranges = ranges.union(Positions.range(bounds[i], bounds[i + 1]));
    }
    return ranges;
  }

  @Test
  void onlyTheBlocksThatDifferAreWrittenEachAsAWhole() {
    Positions before = ranges(1, 1, 5, 9, BLOCK + 3, BLOCK + 3, 9 * BLOCK, 9 * BLOCK);
    Positions after = ranges(1, 1, 5, 8, BLOCK + 3, BLOCK + 3, 7 * BLOCK, 7 * BLOCK);
    HoleBlocks blocks = HoleBlocks.between(before, after);
    assertThat(blocks.written()).isEqualTo(ranges(1, 1, 5, 8, 7 * BLOCK, 7 * BLOCK));
    assertThat(blocks.emptied()).containsExactly(9L);
    assertThat(HoleBlocks.between(after, after).written()).isEqualTo(Positions.NONE);
    assertThat(HoleBlocks.between(after, after).emptied()).isEmpty();
  }

  @Test
  void rangeThatSpansBlocksStandsWhereItBegins() {
    Positions before = ranges(5, 100 * BLOCK);
    assertThat(HoleBlocks.between(Positions.NONE, before).written()).isEqualTo(before);
    HoleBlocks split = HoleBlocks.between(before, before.minus(Positions.of(50 * BLOCK + 7)));
    assertThat(split.written().ranges()).isEqualTo(2);
    assertThat(split.emptied()).isEmpty();
  }

  @Test
  void rowsHoldWhatTheyShouldAfterManyChanges() {
    Random random = new Random(7);
    TreeMap<Long, Positions> rows = new TreeMap<>();
    Positions now = Positions.NONE;
    for (int round = 0; round < 300; round++) {
      long first = 1 + random.nextLong(6 * BLOCK);
      Positions change = Positions.range(first, first + random.nextInt(3_000));
      Positions next = random.nextBoolean() ? now.union(change) : now.minus(change);
      write(rows, HoleBlocks.between(now, next));
      now = next;
      assertThat(rows.values().stream().reduce(Positions.NONE, Positions::union)).isEqualTo(now);
    }
  }

  private static void write(Map<Long, Positions> rows, HoleBlocks blocks) {
    for (long block : blocks.emptied()) {
      rows.remove(block);
    }
    TreeMap<Long, Positions> written = new TreeMap<>();
    long[] firsts = blocks.written().firsts();
    long[] lasts = blocks.written().lasts();
    for (int i = 0; i < firsts.length; i++) {
      written.merge(firsts[i] / BLOCK, Positions.range(firsts[i], lasts[i]), Positions::union);
    }
    rows.putAll(written);
  }
}
