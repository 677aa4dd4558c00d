// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class WritersTest {

  private static final int IN_DOUBT = -1;

  private final Writers writers = new Writers(new Tables(Tables.DEFAULT_SCHEMA));

  @Test
  void sessionKeepsItsNumberUntilItIsSeenWithoutTheLock() {
    writers.saw(Set.of(7));
    Set<Long> first = writers.numbers();
    writers.saw(Set.of(7));
    assertThat(writers.numbers()).isEqualTo(first);
    writers.saw(Set.of());
    writers.saw(Set.of(7));
    assertThat(writers.numbers()).hasSize(1).doesNotContainAnyElementsOf(first);
  }

  @Test
  void witnessIsAboveAllWhoWereSeenAndBelowWhoComesLater() {
    writers.saw(Set.of(7, 8));
    long witness = writers.witness();
    assertThat(writers.numbers()).allMatch(number -> number < witness);
    writers.saw(Set.of(9));
    assertThat(writers.numbers()).allMatch(number -> number > witness);
  }

  @Test
  void edgePassesTheWitness() {
    long witness = writers.witness();
    assertThat(writers.snapshot().edge()).isGreaterThan(witness);
  }

  @Test
  void nobodyHasEndedWhileAnythingIsInDoubt() {
    writers.saw(Set.of(7));
    Set<Long> before = writers.numbers();
    writers.saw(Set.of(IN_DOUBT));
    assertThat(writers.numbers()).containsAll(before).hasSize(2);
    writers.saw(Set.of());
    assertThat(writers.numbers()).isEmpty();
    assertThat(writers.snapshot().hasEnded(before.iterator().next())).isTrue();
  }
}
