// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.RetryPolicy;
import java.time.Duration;
import java.util.List;

/** What one seed's run of a divided subscription is like. */
final class DividedPlan {

  private static final int PARTITIONS_MAX = 5;
  private static final Backoff SOON = new Backoff(Duration.ofMillis(5), Duration.ofMillis(50));

  final int partitions;
  final int processes;
  final int messages;
  final int keys;
  final int openTransactionsMax;
  final Duration lease;
  final RelayOptions options;

  /** At each call of a relay to its store or publisher, and at each step of a division. */
  final double crash;

  final double storeFails;
  final double replyLost;
  final double interleaved;
  final double frozenInCall;

  /** At each answer of the destination. */
  final double ackLost;

  DividedPlan(Choices choices) {
    partitions = number(choices);
    processes = choices.between(2, 4);
    messages = choices.between(20, 70);
    keys = choices.between(2, 8);
    openTransactionsMax = choices.between(1, 4);
    lease = choices.millis(500, 3_000);
    options =
        RelayOptions.builder()
            .lease(lease)
            .polling(p -> p.withPageMessagesMax(choices.pick(List.of(1, 3, 10, 100))))
            .window(w -> w.withMessages(choices.pick(List.of(1, 5, 30))))
            .holes(h -> h.withRangesInRowMax(choices.pick(List.of(0, 3, 200))))
            .saveWait(choices.pick(List.of(Duration.ZERO, Duration.ofMillis(50))))
            .retry(new RetryPolicy(Integer.MAX_VALUE, SOON, RetryPolicy.DeadLetter.KEY_GOES_ON))
            .outage(o -> o.withProbes(SOON))
            .build();
    crash = choices.pick(List.of(0.0, 0.001, 0.004));
    storeFails = choices.pick(List.of(0.0, 0.002, 0.01));
    replyLost = choices.pick(List.of(0.0, 0.002, 0.01));
    interleaved = choices.pick(List.of(0.02, 0.1));
    frozenInCall = choices.pick(List.of(0.0, 0.001, 0.003));
    ackLost = choices.pick(List.of(0.0, 0.003, 0.02));
  }

  /** Returns a number of partitions. */
  static int number(Choices choices) {
    return choices.between(1, PARTITIONS_MAX);
  }
}
