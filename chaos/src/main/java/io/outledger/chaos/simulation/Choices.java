// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Everything that is left to chance, drawn from the seed in one order. */
final class Choices {

  private final long seed;
  private final SplittableRandom random;

  Choices(long seed) {
    this.seed = seed;
    random = new SplittableRandom(seed);
  }

  /** Returns randomness of its own for somebody, so that what it draws does not shift ours. */
  RandomGenerator split() {
    return random.split();
  }

  /**
   * Returns choices of the same seed that leave these as they are. What the simulation learns later
   * is drawn from there: where it draws nothing, a seed gives the run that it gave before.
   */
  Choices overflow(long name) {
    return new Choices(seed ^ name);
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** Returns a number from low to high, both included. */
  int between(int low, int high) {
    return random.nextInt(low, high + 1);
  }

  Duration millis(int low, int high) {
    return Duration.ofMillis(between(low, high));
  }

  <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
