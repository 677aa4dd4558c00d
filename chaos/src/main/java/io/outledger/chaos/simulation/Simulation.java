// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.checker.Report;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A run of the real relays and inboxes through everything that can happen to them, on this thread.
 * The same seed gives the same run.
 */
public final class Simulation {

  private static final int TURNS_MAX = 20_000;
  private static final int TURNS_AFTER_WRITERS = 300;
  private static final int ROUNDS_TO_DRAIN_MAX = 3_000;
  private static final int TURNS_A_ROUND = 20;
  private static final Duration ROUND = Duration.ofMillis(50);

  private final long seed;
  private final World world;
  private final DividedSimulation divided;

  private Simulation(long seed, @Nullable Consumer<String> reader, Planted planted) {
    this.seed = seed;
    SimulatedTime time = new SimulatedTime();
    world = new World(new Choices(seed), time, new Teller(time, reader), planted);
    SimulatedTime beside = new SimulatedTime();
    divided = new DividedSimulation(new Choices(seed), beside, new Teller(beside, reader), planted);
  }

  /** Runs a seed and returns what became of it. */
  public static SimulationResult run(long seed) {
    return run(seed, Planted.NOTHING);
  }

  /** Runs a seed in which something is planted that has to be found. */
  static SimulationResult run(long seed, Planted planted) {
    return new Simulation(seed, null, planted).run();
  }

  /** Runs a seed and tells the reader of every step. */
  public static SimulationResult run(long seed, Consumer<String> reader) {
    return new Simulation(seed, reader, Planted.NOTHING).run();
  }

  private SimulationResult run() {
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
    Map<String, Report> reports = new LinkedHashMap<>();
    world.routes().forEach(route -> reports.put(route.toString(), route.journal().report()));
    DividedWorld shared = divided.run();
    reports.put(DividedCursors.SUBSCRIPTION, shared.journal().report());
    world.happenings().add(shared.happenings());
    return new SimulationResult(seed, reports, world.happenings());
  }

  private void drain() {
    // A clock that was set back makes a dead owner's lease that much longer.
    world.time().pass(world.time().databaseIsBehindBy());
    for (int round = 0; round < ROUNDS_TO_DRAIN_MAX; round++) {
      turns();
      if (world.isDrained()) {
        return;
      }
    }
  }

  private void stopRelays() {
    for (int round = 0; round < 100 && isAnyAlive(); round++) {
      world.stopRelays();
      turns();
    }
  }

  private boolean isAnyAlive() {
    return world.subscriptions().stream()
        .flatMap(one -> one.relays().stream())
        .anyMatch(RelayProcess::isAlive);
  }

  private void turns() {
    int turns = TURNS_A_ROUND * world.routes().size();
    for (int i = 0; i < turns; i++) {
      world.act();
    }
    world.time().pass(ROUND);
  }
}
