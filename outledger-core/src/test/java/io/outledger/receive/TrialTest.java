// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TrialTest {

  private static final Duration SHORTEST = Duration.ofMillis(100);

  private final Trial trial = new Trial();

  private void endWithoutWork(int times) {
    for (int i = 0; i < times; i++) {
      trial.ended();
    }
  }

  @Test
  void oneConsumerThatEndsMayBeAnOutageAndTwoAreTriedOneByOne() {
    assertThat(trial.window()).isEqualTo(Window.FULL);
    trial.ended();
    assertThat(trial.window()).isEqualTo(Window.FULL);
    trial.ended();
    assertThat(trial.window()).isEqualTo(Window.ONE);
    trial.ended();
    assertThat(trial.window()).isEqualTo(Window.ONE);
  }

  @Test
  void pauseGrowsWithEachConsumerThatDoesNothingAndEndsWithTheFirstThatWorks() {
    assertThat(trial.pause()).isEqualTo(SHORTEST);
    endWithoutWork(7);
    assertThat(trial.emptyEnds()).isEqualTo(7);
    assertThat(trial.pause()).isEqualTo(SHORTEST.multipliedBy(7));
    trial.stepped(1, false);
    assertThat(trial.emptyEnds()).isZero();
    trial.ended();
    assertThat(trial.emptyEnds()).isZero();
    assertThat(trial.pause()).isEqualTo(SHORTEST);
    endWithoutWork(100);
    assertThat(trial.pause()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void stepThatFindsNothingEndsNoRowOfEmptyConsumers() {
    endWithoutWork(2);
    trial.stepped(0, true);
    trial.stepped(0, false);
    trial.ended();
    assertThat(trial.emptyEnds()).isEqualTo(3);
  }

  @Test
  void consumerThatWorksForLongOrFindsNothingForLongBeginsTheCountAgain() {
    trial.ended();
    trial.stepped(1_000, false);
    trial.ended();
    assertThat(trial.window()).isEqualTo(Window.FULL);
    for (int i = 0; i < 10; i++) {
      trial.stepped(0, true);
    }
    trial.ended();
    assertThat(trial.window()).isEqualTo(Window.FULL);
    trial.ended();
    assertThat(trial.window()).isEqualTo(Window.ONE);
  }

  @Test
  void fullWindowComesBackEachTimeAfterTwiceAsMany() {
    endWithoutWork(2);
    for (int enough : new int[] {512, 1_024, 2_048, 4_096, 8_192, 8_192, 8_192}) {
      trial.stepped(enough - 1, false);
      assertThat(trial.isPassed()).isFalse();
      trial.stepped(1, false);
      assertThat(trial.isPassed()).isTrue();
      trial.passed();
      assertThat(trial.window()).isEqualTo(Window.FULL);
      assertThat(trial.isPassed()).isFalse();
      trial.ended();
      assertThat(trial.window()).isEqualTo(Window.ONE);
    }
  }

  @Test
  void idleStepsCountOnlyInARow() {
    endWithoutWork(2);
    for (int i = 0; i < 30; i++) {
      trial.stepped(i % 9 == 8 ? 1 : 0, i % 9 != 8);
    }
    assertThat(trial.isPassed()).isFalse();
    for (int i = 0; i < 10; i++) {
      trial.stepped(0, true);
    }
    assertThat(trial.isPassed()).isTrue();
  }

  /** An empty queue is no stuck one, however often its consumer ends in weeks. */
  @Test
  void consumerThatWasOpenForLongWithNothingToReceiveDidNotEndBecauseOfAMessage() {
    for (int restart = 0; restart < 60; restart++) {
      for (int i = 0; i < 600; i++) {
        trial.stepped(0, true);
      }
      trial.ended();
    }
    assertThat(trial.emptyEnds()).isZero();
    assertThat(trial.pause()).isEqualTo(SHORTEST);
    for (int i = 0; i < 9; i++) {
      trial.stepped(0, true);
    }
    trial.ended();
    assertThat(trial.emptyEnds()).isEqualTo(1);
  }

  /** What a message is to be compared with may never come in a window of one. */
  @Test
  void windowOfOneInWhichAStreamWaitsForOthersIsFullAgainLaterEachTime() {
    int before = 0;
    for (int round = 0; round < 3; round++) {
      endWithoutWork(2);
      assertThat(trial.window()).isEqualTo(Window.ONE);
      int steps = 0;
      while (!trial.isPassed()) {
        trial.stepped(0, false);
        trial.waitsForOthers(true);
        steps++;
      }
      assertThat(steps).isGreaterThan(before);
      before = steps;
      trial.passed();
      assertThat(trial.window()).isEqualTo(Window.FULL);
    }
    endWithoutWork(2);
    for (int i = 0; i < 100_000; i++) {
      trial.stepped(0, false);
      trial.waitsForOthers(i % 100 > 0);
    }
    assertThat(trial.isPassed()).isFalse();
  }
}
