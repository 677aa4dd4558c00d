// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.checker.Report;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A run of the real relay and inbox through everything that can happen to them, on this thread. The
 * same seed gives the same run.
 */
public final class Simulation {

  private static final int TURNS_MAX = 20_000;
  private static final int TURNS_AFTER_WRITERS = 300;
  private static final int ROUNDS_TO_DRAIN_MAX = 3_000;
  private static final int TURNS_A_ROUND = 20;
  private static final Duration ROUND = Duration.ofMillis(50);

  private final World world;
  private final Journal journal;

  private Simulation(long seed, @Nullable Consumer<String> reader) {
    SimulatedTime time = new SimulatedTime();
    journal = new Journal(time, reader);
    world = new World(new Choices(seed), time, journal);
  }

  /** Runs a seed and returns the checker's verdict. */
  public static Report run(long seed) {
    return new Simulation(seed, null).run();
  }

  /** Runs a seed and tells the reader of every step. */
  public static Report run(long seed, Consumer<String> reader) {
    return new Simulation(seed, reader).run();
  }

  private Report run() {
    int turns = 0;
    while (turns < TURNS_MAX && !world.writers().isDone()) {
      world.act();
      turns++;
    }
    for (int i = 0; i < TURNS_AFTER_WRITERS; i++) {
      world.act();
    }
    world.endFaults();
    drain();
    stopRelays();
    world.writeEndState();
    return journal.report();
  }

  private void drain() {
    // A clock that was set back makes a dead owner's lease that much longer.
    world.time().pass(world.time().databaseIsBehindBy());
    for (int round = 0; round < ROUNDS_TO_DRAIN_MAX; round++) {
      turns();
      if (world.owner() != null && world.isDrained()) {
        return;
      }
    }
  }

  private void stopRelays() {
    world.relays().forEach(RelayProcess::stop);
    for (int round = 0;
        round < 100 && world.relays().stream().anyMatch(RelayProcess::isAlive);
        round++) {
      world.relays().forEach(RelayProcess::stop);
      turns();
    }
  }

  private void turns() {
    for (int i = 0; i < TURNS_A_ROUND; i++) {
      world.act();
    }
    world.time().pass(ROUND);
  }
}
