// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Kills one process after the other while it works, each at a moment drawn from the seed, and
 * starts it again. Everybody's turn comes once before anybody's comes again.
 */
final class DemoKills {

  private static final double SECONDS_EACH_MIN = 3.5;

  private final List<Turn> plan;
  private final Pace pace;
  private final Story story;
  private final List<Kill> done = new ArrayList<>();
  private final CountDownLatch never = new CountDownLatch(1);
  private volatile int left;
  private volatile double secondsEach = SECONDS_EACH_MIN;

  /**
   * How much time is taken.
   *
   * @param pauseMsMax the longest pause before a kill
   * @param downMsMax the longest time that a killed process stays down
   * @param patienceMs how long a process is waited for that has nothing in flight
   */
  record Pace(int pauseMsMax, int downMsMax, long patienceMs) {
    static final Pace NORMAL = new Pace(2_500, 1_000, 30_000);
  }

  private record Turn(Role role, int pauseMs, int downMs) {}

  /** What is told of a kill while it happens. */
  interface Story {
    long elapsedMs();

    void killed(Role role, Kill kill);

    void back(Kill kill);

    void idle(Role role);
  }

  DemoKills(List<Role> roles, int count, RandomGenerator random, Pace pace, Story story) {
    this.plan = plan(roles, count, random, pace);
    this.pace = pace;
    this.story = story;
    this.left = plan.size();
  }

  /** Returns how many kills are still to come. */
  int left() {
    return left;
  }

  /** Returns about how long the kills that are still to come will take. */
  double secondsLeft() {
    return left * secondsEach;
  }

  List<Kill> done() {
    return List.copyOf(done);
  }

  /** Kills all that are due, and returns when the last one is back. */
  void run() throws InterruptedException {
    double start = story.elapsedMs() / 1e3;
    for (int turn = 1; turn <= plan.size(); turn++) {
      killAtWork(plan.get(turn - 1));
      secondsEach = Math.max(SECONDS_EACH_MIN, (story.elapsedMs() / 1e3 - start) / turn);
      left = plan.size() - turn;
    }
  }

  private void killAtWork(Turn turn) throws InterruptedException {
    never.await(turn.pauseMs(), TimeUnit.MILLISECONDS);
    Role role = turn.role();
    long inFlight = awaitWork(role);
    if (inFlight == 0) {
      story.idle(role);
      return;
    }
    Kill kill = new Kill(role.name(), role.pid(), story.elapsedMs(), inFlight);
    Instant before = Instant.now();
    role.kill();
    Span span = Span.since(before);
    role.interrupts().forEach(ledger -> ledger.interruptions().add(kill.role(), span));
    done.add(kill);
    story.killed(role, kill);
    never.await(turn.downMs(), TimeUnit.MILLISECONDS);
    role.restart();
    story.back(kill);
  }

  private long awaitWork(Role role) throws InterruptedException {
    long start = System.nanoTime();
    long inFlight = inFlight(role);
    while (inFlight == 0 && System.nanoTime() - start < pace.patienceMs() * 1_000_000) {
      never.await(1, TimeUnit.MILLISECONDS);
      inFlight = inFlight(role);
    }
    return inFlight;
  }

  private static long inFlight(Role role) {
    try {
      return role.inFlight();
    } catch (SQLException e) {
      return 0; // the database is not back yet
    }
  }

  private static List<Turn> plan(List<Role> roles, int count, RandomGenerator random, Pace pace) {
    List<Turn> plan = new ArrayList<>();
    while (plan.size() < count) {
      List<Role> round = new ArrayList<>(roles);
      while (!round.isEmpty() && plan.size() < count) {
        Role role = round.remove(random.nextInt(round.size()));
        plan.add(
            new Turn(role, random.nextInt(pace.pauseMsMax()), random.nextInt(pace.downMsMax())));
      }
    }
    return plan;
  }
}
