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
 * @param ageing how much each does fresh, and under each burden
 */
record ComparePlan(
    List<Entrant> entrants,
    int messagesMax,
    int drainRounds,
    int drainSeconds,
    Writing writing,
    Timing timing,
    Ageing ageing) {

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

  /**
   * How much is done under each burden.
   *
   * @param rounds how often
   * @param messagesMax how many messages wait, at most
   * @param settled how many have been published before, of who keeps them
   * @param drainSeconds how long draining takes each time, about
   * @param saveMillis how long each saves
   */
  record Ageing(int rounds, int messagesMax, int settled, int drainSeconds, long saveMillis) {

    /** Returns when a turn of draining is over, whatever still waits then. */
    long drainMillisMax() {
      return drainSeconds * PATIENCE_MILLIS_FOR_EACH_SECOND;
    }
  }

  private static final long PATIENCE_MILLIS_FOR_EACH_SECOND = 2_500;

  private static final int WARM_UP_MESSAGES = 2_000;

  /** With fewer nothing could show that it rots. */
  private static final int AGED_MESSAGES_MIN = 5_000;

  /** How much faster one gets once its JVM has compiled it. */
  private static final double WARM_FACTOR = 2;

  /** What a backlog is rounded to, so that few of them are needed. */
  private static final int[] STEPS = {1, 2, 5};

  /** About fifty minutes on two processors. */
  static ComparePlan whole() {
    return new ComparePlan(
        List.of(Entrant.values()),
        1_000_000,
        3,
        4,
        new Writing(3, 800),
        new Timing(2, 4),
        new Ageing(2, 200_000, 10_000_000, 4, 2_500));
  }

  /** About a quarter of an hour. */
  static ComparePlan quick() {
    return new ComparePlan(
        List.of(Entrant.values()),
        50_000,
        1,
        1,
        new Writing(1, 300),
        new Timing(1, 1),
        new Ageing(1, 50_000, 500_000, 2, 1_000));
  }

  ComparePlan of(List<Entrant> others) {
    return new ComparePlan(others, messagesMax, drainRounds, drainSeconds, writing, timing, ageing);
  }

  ComparePlan ofMessages(int most) {
    return new ComparePlan(
        entrants,
        most,
        drainRounds,
        drainSeconds,
        writing,
        timing,
        new Ageing(
            ageing.rounds(), most, ageing.settled(), ageing.drainSeconds(), ageing.saveMillis()));
  }

  /** Returns a copy with this number of rounds of everything. */
  ComparePlan ofRounds(int rounds) {
    return new ComparePlan(
        entrants,
        messagesMax,
        rounds,
        drainSeconds,
        new Writing(rounds, writing.millis()),
        new Timing(rounds, timing.seconds()),
        new Ageing(
            rounds,
            ageing.messagesMax(),
            ageing.settled(),
            ageing.drainSeconds(),
            ageing.saveMillis()));
  }

  /** Returns how many messages wait while the JVMs compile. */
  int warmUpMessages(Entrant entrant) {
    return warmUpMessages(entrant, Math.min(messagesMax, entrant.messages()));
  }

  /** The same where it is about ageing. */
  int agedWarmUpMessages(Entrant entrant) {
    return warmUpMessages(entrant, ageing.messagesMax());
  }

  private static int warmUpMessages(Entrant entrant, int most) {
    return entrant.takesAll() ? most : Math.min(most, WARM_UP_MESSAGES);
  }

  /** Returns how many messages wait for one who has shown how fast it is. */
  int messages(Entrant entrant, Drained warmUp) {
    int most = Math.min(messagesMax, entrant.messages());
    return entrant.takesAll() ? most : rounded(most, warmUp.perSecond() * drainSeconds);
  }

  /** The same where it is about ageing. */
  int agedMessages(Entrant entrant, Drained warmUp) {
    int most = ageing.messagesMax();
    return entrant.takesAll()
        ? most
        : Math.max(
            Math.min(most, AGED_MESSAGES_MIN),
            rounded(most, warmUp.perSecond() * ageing.drainSeconds()));
  }

  private static int rounded(int most, double atWarmUp) {
    double wanted = Math.min(most, WARM_FACTOR * atWarmUp);
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
    return drainSeconds * PATIENCE_MILLIS_FOR_EACH_SECOND;
  }
}
