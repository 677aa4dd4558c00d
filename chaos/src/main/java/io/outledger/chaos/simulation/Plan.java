// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.publish.KeyOrder;
import io.outledger.relay.Backoff;
import io.outledger.relay.BreakerPolicy;
import io.outledger.relay.RelayOptions;
import io.outledger.relay.RetryPolicy;
import io.outledger.relay.RetryPolicy.DeadLetter;
import io.outledger.relay.Steps;
import java.time.Duration;

/**
 * What one seed's run is like. Each kind of trouble is absent, rare or frequent, so that runs
 * differ in character and not only in detail.
 */
final class Plan {

  static final String NOISE = "noise";

  final int messages;
  final int keys;
  final int relays;
  final int openTransactionsMax;
  final int attemptsMax;
  final KeyOrder keyOrder;
  final DeadLetter deadLetter;
  final Duration lease;

  /** At each call of a relay to its store or publisher. */
  final double crash;

  final double storeFails;
  final double replyLost;
  final double interleaved;
  final double frozenInCall;

  /** At each turn. */
  final double frozen;

  final double serverSwitched;
  final double tailLost;
  final double brokerTurns;
  final double clockJumps;
  final double stopped;

  /** Of each message or commit. */
  final double rejected;

  final double ackLost;
  final double rolledBack;
  final double commitUnknown;

  final RelayOptions options;

  Plan(Choices choices) {
    messages = choices.between(100, 300);
    keys = choices.between(1, 12);
    relays = choices.between(2, 3);
    openTransactionsMax = choices.between(1, 6);
    attemptsMax = choices.between(2, 5);
    keyOrder = choices.chance(0.7) ? KeyOrder.PIPELINED : KeyOrder.ONE_AT_A_TIME;
    deadLetter = choices.chance(0.7) ? DeadLetter.KEY_GOES_ON : DeadLetter.KEY_STAYS_BLOCKED;
    lease = choices.millis(500, 3000);
    crash = level(choices, 0.001, 0.005);
    storeFails = level(choices, 0.003, 0.02);
    replyLost = level(choices, 0.003, 0.02);
    interleaved = level(choices, 0.05, 0.3);
    frozenInCall = level(choices, 0.001, 0.005);
    frozen = level(choices, 0.0005, 0.003);
    serverSwitched = level(choices, 0.0005, 0.005);
    tailLost = choices.chance(0.3) ? 0.005 : 0;
    brokerTurns = level(choices, 0.002, 0.01);
    clockJumps = level(choices, 0.0005, 0.002);
    stopped = level(choices, 0.001, 0.005);
    rejected = level(choices, 0.01, 0.2);
    ackLost = level(choices, 0.003, 0.02);
    rolledBack = level(choices, 0.05, 0.3);
    commitUnknown = level(choices, 0.01, 0.1);
    options = options(choices);
  }

  private static double level(Choices choices, double rare, double frequent) {
    return switch (choices.between(0, 3)) {
      case 0 -> 0;
      case 3 -> frequent;
      default -> rare;
    };
  }

  private RelayOptions options(Choices choices) {
    return RelayOptions.builder()
        .lease(lease)
        .pageMessagesMax(choices.pick(java.util.List.of(1, 3, 10, 100)))
        .pageBytesMax(choices.pick(java.util.List.of(1L, 50L, 10_000L)))
        .windowMessages(choices.pick(java.util.List.of(1, 5, 30, 200)))
        .holeAge(choices.millis(0, 500))
        .retry(new RetryPolicy(attemptsMax, backoff(choices), deadLetter))
        .outage(backoff(choices))
        .breaker(
            new BreakerPolicy(
                choices.between(2, 8), choices.millis(50, 2000), backoff(choices), 100))
        .steps(Steps.NONE.withFilter(message -> !message.topic().equals(NOISE)))
        .build();
  }

  private static Backoff backoff(Choices choices) {
    Duration first = choices.millis(1, 100);
    return new Backoff(first, first.multipliedBy(choices.between(1, 8)));
  }
}
