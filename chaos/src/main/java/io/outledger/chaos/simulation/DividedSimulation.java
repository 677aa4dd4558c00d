// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.Entry;
import java.time.Duration;
import java.util.LongSummaryStatistics;

/** A run of a divided subscription through everything that can happen to its processes. */
final class DividedSimulation {

  private static final long DIVIDED = 0x6469_7669_6465L;
  private static final int TURNS_MAX = 8_000;
  private static final int TURNS_AFTER_WRITERS = 200;
  private static final int ROUNDS_MAX = 3_000;
  private static final int TURNS_A_ROUND = 40;
  private static final int STOPS_MAX = 300;
  private static final Duration ROUND = Duration.ofMillis(50);

  private final DividedWorld world;

  DividedSimulation(Choices choices, SimulatedTime time, Teller teller, Planted planted) {
    world = new DividedWorld(choices.overflow(DIVIDED), time, teller, planted);
  }

  /** Runs it, and returns what its journal and its happenings are. */
  DividedWorld run() {
    for (int turn = 0; turn < TURNS_MAX && !world.writers().isDone(); turn++) {
      world.act();
    }
    for (int turn = 0; turn < TURNS_AFTER_WRITERS; turn++) {
      world.act();
    }
    world.endFaults();
    for (int round = 0; round < ROUNDS_MAX && !isOver(); round++) {
      turns();
    }
    world.journal().write(new Entry.Left("partitions above a fair share", aboveShare(), 0));
    for (int round = 0; round < STOPS_MAX && isAnyAlive(); round++) {
      world.stopProcesses();
      turns();
    }
    world.cursors().writeEndState();
    long clients = world.processes().stream().mapToLong(DividedProcess::clientsLeft).sum();
    world.journal().write(new Entry.Left("clients", clients, 0));
    return world;
  }

  private boolean isOver() {
    return world.operator().isDone() && world.cursors().isDrained() && aboveShare() == 0;
  }

  /** Returns by how many partitions the processes differ more than they must, or have no owner. */
  private long aboveShare() {
    LongSummaryStatistics owned =
        world.processes().stream().mapToLong(DividedProcess::owned).summaryStatistics();
    long count = world.cursors().count();
    long most = (count + world.processes().size() - 1) / world.processes().size();
    long without = count - owned.getSum();
    return Math.max(0, owned.getMax() - most) + without;
  }

  private boolean isAnyAlive() {
    return world.processes().stream().anyMatch(DividedProcess::isAlive);
  }

  private void turns() {
    for (int turn = 0; turn < TURNS_A_ROUND; turn++) {
      world.act();
    }
    world.time().pass(ROUND);
  }
}
