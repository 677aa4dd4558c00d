// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

/**
 * Whether the answers of a pipeline come out of order. A publisher keeps the order of the messages
 * and promises none of the answers: what a client refuses by itself is rejected while those before
 * it are still on their way, and acknowledgements may overtake each other.
 *
 * <p>In half of the seeds all answers come in order; these runs are what they were before.
 */
final class AnswerOrder {

  private static final long NAME = 0x616e_7377_6572_734fL;

  private final World world;
  private final Choices choices;
  private final double early;
  private final double lost;

  AnswerOrder(World world) {
    this.world = world;
    choices = world.choices().overflow(NAME);
    early = choices.chance(0.5) ? 0 : choices.chance(0.5) ? 0.05 : 0.3;
    lost = choices.chance(0.5) ? 0.02 : 0.2;
  }

  /** Returns whether an answer comes before its turn. */
  boolean comesEarly() {
    return early > 0 && world.hasFaults() && choices.chance(early);
  }

  /**
   * Returns whether nobody learns any more what became of a message whose follower was answered.
   */
  boolean losesTheEarlier() {
    return world.hasFaults() && choices.chance(lost);
  }
}
