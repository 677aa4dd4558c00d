// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * Runs many seeds on all cores, each on one thread. The runs share nothing.
 *
 * @param first the first seed
 * @param count how many
 */
public record Seeds(long first, long count) {

  private static final int BLOCK = 500;

  /**
   * What became of them.
   *
   * @param firstFailure the lowest seed that failed among those that were run
   * @param happenings what has happened in all of them
   */
  public record Outcome(Optional<SimulationResult> firstFailure, Happenings happenings) {}

  /**
   * Runs them a block at a time, until one holds a failure.
   *
   * @param progress is called with how many are done, from any thread
   */
  public Outcome run(LongConsumer progress) {
    AtomicLong done = new AtomicLong();
    Happenings happenings = new Happenings();
    for (long from = first; from < first + count; from += BLOCK) {
      long to = Math.min(first + count, from + BLOCK);
      List<SimulationResult> block =
          LongStream.range(from, to)
              .parallel()
              .mapToObj(seed -> run(seed, done, progress))
              .toList();
      block.forEach(result -> happenings.add(result.happenings()));
      Optional<SimulationResult> failure = block.stream().filter(one -> !one.passed()).findFirst();
      if (failure.isPresent()) {
        return new Outcome(failure, happenings);
      }
    }
    return new Outcome(Optional.empty(), happenings);
  }

  private static SimulationResult run(long seed, AtomicLong done, LongConsumer progress) {
    try {
      SimulationResult result = Simulation.run(seed);
      progress.accept(done.incrementAndGet());
      return result;
    } catch (RuntimeException e) {
      throw new IllegalStateException("seed " + seed + " failed with an exception", e);
    }
  }
}
