// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PositionsTest {

  private static final int BOUND = 40;

  @Test
  void setOperationsAgreeWithTreeSet() {
    Seeds.each(500, PositionsTest::agreesWithTreeSet);
  }

  private static void agreesWithTreeSet(long seed) {
    Random random = new Random(seed);
    Set<Long> left = randomSet(random);
    Set<Long> right = randomSet(random);
    Positions a = positions(left);
    Positions b = positions(right);
    TreeSet<Long> union = new TreeSet<>(left);
    union.addAll(right);
    TreeSet<Long> difference = new TreeSet<>(left);
    difference.removeAll(right);
    TreeSet<Long> common = new TreeSet<>(left);
    common.retainAll(right);
    assertThat(elements(a.union(b))).isEqualTo(new ArrayList<>(union));
    assertThat(elements(a.minus(b))).isEqualTo(new ArrayList<>(difference));
    assertThat(elements(a.intersection(b))).isEqualTo(new ArrayList<>(common));
    assertThat(a.size()).isEqualTo(left.size());
    for (long position = 0; position <= BOUND; position++) {
      assertThat(a.contains(position)).isEqualTo(left.contains(position));
    }
    assertThat(Positions.ofRanges(a.firsts(), a.lasts())).isEqualTo(a).hasSameHashCodeAs(a);
  }

  @Test
  void rangesThatLieApartStayApartInWhateverOrderTheyCome() {
    Positions low = Positions.of(1, 3);
    Positions high = Positions.of(5, 7);
    Positions both = Positions.of(1, 3, 5, 7);
    assertThat(low.union(high)).isEqualTo(both);
    assertThat(high.union(low)).isEqualTo(both);
  }

  @Test
  void rangesThatTouchAreJoined() {
    Positions joined = Positions.range(1, 3).union(Positions.range(4, 6));
    assertThat(joined).isEqualTo(Positions.range(1, 6));
    assertThat(joined.ranges()).isEqualTo(1);
    assertThat(joined.toString()).isEqualTo("[1-6]");
    assertThat(Positions.of(9, 2, 2)).hasToString("[2, 9]");
  }

  @Test
  void setsOfOtherPositionsAreOthers() {
    Positions some = Positions.range(1, 3);
    assertThat(some).isNotEqualTo(Positions.range(1, 4)).isNotEqualTo("[1-3]");
    assertThat(some).doesNotHaveSameHashCodeAs(Positions.range(1, 4));
  }

  @Test
  void emptySetHasNoFirst() {
    assertThat(Positions.range(2, 1)).isSameAs(Positions.NONE);
    assertThatThrownBy(Positions.NONE::first).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void rangesOutOfOrderAreRefused() {
    assertThatThrownBy(() -> Positions.ofRanges(new long[] {5, 1}, new long[] {6, 2}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ascending");
    assertThatThrownBy(() -> Positions.ofRanges(new long[] {5}, new long[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Set<Long> randomSet(Random random) {
    Set<Long> set = new TreeSet<>();
    int density = random.nextInt(1, 10);
    for (long position = 1; position < BOUND; position++) {
      if (random.nextInt(10) < density) {
        set.add(position);
      }
    }
    return set;
  }

  private static Positions positions(Set<Long> set) {
    return Positions.of(set.stream().mapToLong(Long::longValue).toArray());
  }

  private static List<Long> elements(Positions positions) {
    List<Long> elements = new ArrayList<>();
    positions.forEach(elements::add);
    return elements;
  }

  @Test
  void rangesAreTheOthersWithTheSameBoundsAlone() {
    Positions before = Positions.of(1, 2, 5, 9, 11, 12);
    Positions after = Positions.of(1, 5, 9, 10, 11, 12, 20);
    assertThat(before.withoutRangesOf(after)).isEqualTo(Positions.of(1, 2, 9, 11, 12));
    assertThat(after.withoutRangesOf(before)).isEqualTo(Positions.of(1, 9, 10, 11, 12, 20));
    assertThat(before.withoutRangesOf(Positions.NONE)).isEqualTo(before);
    assertThat(before.withoutRangesOf(before)).isEqualTo(Positions.NONE);
  }

  @Test
  void positionIsAloneWhereItsNeighboursAreMissing() {
    assertThat(Positions.of(1, 3, 4, 6, 8, 9).alone()).isEqualTo(Positions.of(1, 6));
    assertThat(Positions.range(2, 5).alone()).isEqualTo(Positions.NONE);
  }

  @Test
  void thousandsOfRangesAreNotAllTold() {
    Positions some = Positions.of(LongStream.range(0, 20).map(i -> 2 * i).toArray());
    assertThat(some.toString()).endsWith(", 36, 38]");
    Positions many = some.union(Positions.of(50, 60));
    assertThat(many.toString()).endsWith(", 36, 38, 2 more ranges up to 60]");
  }
}
