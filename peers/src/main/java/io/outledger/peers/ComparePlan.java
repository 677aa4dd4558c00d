// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.List;

/**
 * How much is measured.
 *
 * @param entrants who takes part
 * @param messagesMax how many messages wait, at most
 * @param drainRounds how often each drains
 * @param drainSeconds how long that takes each time, about
 * @param writing how often and how long each writes
 * @param timing how often and how long each is timed
 */
record ComparePlan(
    List<Entrant> entrants,
    int messagesMax,
    int drainRounds,
    int drainSeconds,
    Writing writing,
    Timing timing) {

  /**
   * How much is written.
   *
   * @param rounds how often
   * @param millis how long under each load
   */
  record Writing(int rounds, long millis) {}

  /**
   * How much is timed.
   *
   * @param rounds how often
   * @param seconds how long at each rate
   */
  record Timing(int rounds, int seconds) {}

  private static final int WARM_UP_MESSAGES = 2_000;

  /** How much faster one gets once its JVM has compiled it. */
  private static final double WARM_FACTOR = 2;

  /** What a backlog is rounded to, so that few of them are needed. */
  private static final int[] STEPS = {1, 2, 5};

  /** About half an hour on two processors. */
  static ComparePlan whole() {
    return new ComparePlan(
        List.of(Entrant.values()), 1_000_000, 3, 4, new Writing(3, 800), new Timing(2, 4));
  }

  /** About ten minutes. */
  static ComparePlan quick() {
    return new ComparePlan(
        List.of(Entrant.values()), 50_000, 1, 1, new Writing(1, 300), new Timing(1, 1));
  }

  ComparePlan of(List<Entrant> others) {
    return new ComparePlan(others, messagesMax, drainRounds, drainSeconds, writing, timing);
  }

  ComparePlan ofMessages(int most) {
    return new ComparePlan(entrants, most, drainRounds, drainSeconds, writing, timing);
  }

  /** Returns it with so many rounds of everything. */
  ComparePlan ofRounds(int rounds) {
    return new ComparePlan(
        entrants,
        messagesMax,
        rounds,
        drainSeconds,
        new Writing(rounds, writing.millis()),
        new Timing(rounds, timing.seconds()));
  }

  /** Returns how many messages wait while the JVMs compile. */
  int warmUpMessages(Entrant entrant) {
    int most = Math.min(messagesMax, entrant.messages());
    return entrant.takesAll() ? most : Math.min(most, WARM_UP_MESSAGES);
  }

  /** Returns how many messages wait for one who has shown how fast it is. */
  int messages(Entrant entrant, Drained warmUp) {
    int most = Math.min(messagesMax, entrant.messages());
    if (entrant.takesAll()) {
      return most;
    }
    double wanted = Math.min(most, WARM_FACTOR * warmUp.perSecond() * drainSeconds);
    int messages = Math.min(most, WARM_UP_MESSAGES / 2);
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
  long drainMillisMax() {
    return drainSeconds * 2_500L;
  }
}
