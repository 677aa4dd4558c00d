// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.h2.HoleStress.Outcome;
import io.outledger.h2.NastyWriters.Kill;
import io.outledger.h2.TestH2.Place;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nothing that commits late is taken for a dead hole, dead holes go, nothing that was rolled back
 * is published, and nothing twice. What was committed is what the table holds at the end.
 *
 * <p>{@code -Doutledger.seeds=100} tries more seeds, {@code -Doutledger.place=SERVER} one place
 * alone. {@code -Doutledger.kills=BETWEEN_STATEMENTS,WHILE_COMMITTING} also kills sessions that
 * commit: H2 does not synchronise that.
 */
class HoleProofIT {

  /** Counts the seeds for each place; {@code outledger.seed} is the first. */
  private static final int SEEDS = Integer.getInteger("outledger.seeds", 2);

  private static final long FIRST = Long.getLong("outledger.seed", 1);

  private static final int ROUNDS_MAX = 20;

  /** Between the seeds of two rounds, so that none is another test's. */
  private static final long ROUND_SEEDS = 1_000_000;

  static Stream<Arguments> everywhere() {
    return LongStream.range(FIRST, FIRST + SEEDS)
        .boxed()
        .flatMap(seed -> places().map(place -> Arguments.of(place, seed)));
  }

  /** As many rounds as it takes until a naive reader has lost a message, which most do at once. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void stressInWhichANaiveReaderLosesMessagesLosesNothingAndPublishesNoGhost(Place place, long seed)
      throws Exception {
    boolean isHard = false;
    for (int round = 0; round < ROUNDS_MAX && !isHard; round++) {
      Outcome outcome = HoleStress.run(place, seed + round * ROUND_SEEDS, kills());
      assertHeld(outcome);
      isHard = outcome.readByNaive() < outcome.inTable().size();
    }
    assertThat(isHard).as("a naive reader has lost something").isTrue();
  }

  private static void assertHeld(Outcome outcome) {
    assertThat(outcome.h2BrokeItsWord()).isEmpty();
    assertThat(outcome.lost()).as(outcome.summary()).isEmpty();
    assertThat(outcome.ghosts()).isEmpty();
    assertThat(outcome.reordered()).isEmpty();
    assertThat(outcome.publishedTwice()).isEmpty();
    assertThat(outcome.holesDropped()).isPositive();
  }

  private static Stream<Place> places() {
    String place = System.getProperty("outledger.place");
    return place == null ? Stream.of(Place.values()) : Stream.of(Place.valueOf(place));
  }

  private static Set<Kill> kills() {
    String names = System.getProperty("outledger.kills", "BETWEEN_STATEMENTS");
    Set<Kill> kills = EnumSet.noneOf(Kill.class);
    Stream.of(names.split(",")).filter(n -> !n.isEmpty()).map(Kill::valueOf).forEach(kills::add);
    return kills;
  }
}
