// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What the benchmark of Kafka Connect measures.
 *
 * @param module the folder with the class path of the workers
 * @param messages how many messages wait in the ledger
 * @param rounds how often each side drains them, after a round that is not counted
 * @param rate how many messages a second are committed while latency is measured
 * @param latency how long that is measured
 * @param idle how long a side that has nothing to do is watched
 */
record ConnectPlan(
    Path module, int messages, int rounds, int rate, Duration latency, Duration idle) {

  private static final int MESSAGES = 200_000;
  private static final int ROUNDS = 3;
  private static final int RATE = 500;
  private static final Duration STEADY = Duration.ofSeconds(30);

  static ConnectPlan of(Wish wish) {
    return new ConnectPlan(
        Path.of("benchmarks", "connect"),
        wish.messages(MESSAGES),
        wish.rounds(ROUNDS),
        wish.rate(RATE),
        STEADY,
        STEADY);
  }
}
