// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.time.Duration;

/**
 * What the backlog benchmark measures.
 *
 * @param messages how many wait when the broker comes back
 * @param rounds how often the steady rate and the writer's are measured
 * @param writing how long the writer writes each time
 */
record BacklogPlan(int messages, int rounds, Duration writing) {

  private static final int MESSAGES = 10_000_000;
  private static final int ROUNDS = 5;

  static BacklogPlan of(Wish wish) {
    return new BacklogPlan(wish.messages(MESSAGES), wish.rounds(ROUNDS), Duration.ofSeconds(5));
  }

  /** A tenth of them is what the steady rate is measured with. */
  int steady() {
    return Math.max(1, messages / 10);
  }
}
