// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.time.Duration;

/**
 * What the backlog benchmark measures.
 *
 * @param messages how many wait when the broker comes back
 * @param rounds how often the steady rate and the writer's are measured
 * @param turn how long the writer writes, and polls are timed, each time
 * @param isKafka whether the broker is a real one
 */
record BacklogPlan(int messages, int rounds, Duration turn, boolean isKafka) {

  private static final int MESSAGES = 10_000_000;
  private static final int MESSAGES_TO_KAFKA = 1_000_000;
  private static final int ROUNDS = 5;

  static BacklogPlan of(Wish wish) {
    boolean isKafka = wish.has("kafka");
    return new BacklogPlan(
        wish.messages(isKafka ? MESSAGES_TO_KAFKA : MESSAGES),
        wish.rounds(ROUNDS),
        Duration.ofSeconds(5),
        isKafka);
  }

  /** A tenth of them is what the steady rate is measured with. */
  int steady() {
    return Math.max(1, messages / 10);
  }
}
