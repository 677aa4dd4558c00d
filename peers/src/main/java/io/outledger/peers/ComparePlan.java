// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.List;

/**
 * How much is measured.
 *
 * @param entrants who takes part
 * @param rounds how often each is measured
 * @param messagesMax how many messages wait, at most
 * @param turnSeconds how long a turn of draining takes, about
 */
record ComparePlan(List<Entrant> entrants, int rounds, int messagesMax, int turnSeconds) {

  private static final int WARM_UP_MESSAGES = 2_000;

  /** A warm-up as short as this tells nothing but that its entrant is fast. */
  private static final double FAST_SECONDS = 0.5;

  /** How much faster one gets once its JVM has compiled it. */
  private static final double WARM_FACTOR = 2;

  /** What a backlog is rounded to, so that few of them are needed. */
  private static final int[] STEPS = {1, 2, 5};

  /** About twenty minutes on two processors. */
  static ComparePlan whole() {
    return new ComparePlan(List.of(Entrant.values()), 5, 1_000_000, 6);
  }

  /** Less than five minutes. */
  static ComparePlan quick() {
    return new ComparePlan(List.of(Entrant.values()), 2, 100_000, 2);
  }

  ComparePlan with(List<Entrant> others) {
    return new ComparePlan(others, rounds, messagesMax, turnSeconds);
  }

  /** Returns how many messages wait while the JVMs compile. */
  int warmUpMessages() {
    return Math.min(messagesMax, WARM_UP_MESSAGES);
  }

  /** Returns how many messages wait for one who has shown how fast it is. */
  int messages(Entrant entrant, Drained warmUp) {
    int most = Math.min(messagesMax, entrant.messages());
    if (warmUp.seconds() < FAST_SECONDS) {
      return most;
    }
    double wanted = Math.min(most, WARM_FACTOR * warmUp.perSecond() * turnSeconds);
    int messages = Math.min(most, warmUpMessages() / 2);
    for (int decade = messages; decade <= wanted; decade *= 10) {
      for (int step : STEPS) {
        if (decade * step <= wanted) {
          messages = decade * step;
        }
      }
    }
    return messages;
  }

  /** Returns when a turn of draining is over, whatever still waits then. */
  long turnMillisMax() {
    return turnSeconds * 2_500L;
  }
}
