// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.record.Project;
import io.outledger.chaos.record.Versions;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;

/** What {@code chaos/sim} runs: many seeds with a line of progress, or one that is told. */
public final class SimulationMain {

  private static final long NANOS_A_LINE = 1_000_000_000L;

  private final PrintStream out;
  private final TimeSource time = TimeSource.system();
  private final long begun = time.nanoTime();
  private final AtomicLong lineAt = new AtomicLong(begun);

  private SimulationMain(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs the simulation; the exit code is 1 where a promise was broken.
   *
   * @param arguments {@code seeds FIRST COUNT}, {@code record FIRST COUNT}, which also adds to the
   *     record, or {@code tell SEED}
   */
  public static void main(String[] arguments) throws IOException {
    SimulationMain main = new SimulationMain(System.out);
    boolean passed =
        switch (arguments[0]) {
          case "tell" -> main.tell(Long.parseLong(arguments[1]));
          case "record" -> main.run(seeds(arguments), true);
          default -> main.run(seeds(arguments), false);
        };
    System.exit(passed ? 0 : 1);
  }

  private static Seeds seeds(String... arguments) {
    return new Seeds(Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
  }

  private boolean tell(long seed) {
    SimulationResult result = Simulation.run(seed, out::println);
    out.println();
    out.println(result);
    return result.passed();
  }

  private boolean run(Seeds seeds, boolean isRecorded) throws IOException {
    Seeds.Outcome outcome = seeds.run(done -> progress(done, seeds.count()));
    out.println();
    if (isRecorded) {
      Project.here().record(new RecordedSeeds(seeds, outcome).on(Versions.here()));
    }
    if (outcome.firstFailure().isEmpty()) {
      out.println(outcome.happenings());
      out.printf(
          "%,d seeds from %d in %d s: every promise held%n",
          seeds.count(), seeds.first(), seconds());
      return true;
    }
    long seed = outcome.firstFailure().get().seed();
    out.printf("seed %d breaks a promise; this is what happened:%n%n", seed);
    tell(seed);
    out.printf("%nonce more: chaos/sim --seed %d --tell%n", seed);
    return false;
  }

  private void progress(long done, long count) {
    long line = lineAt.get();
    long now = time.nanoTime();
    boolean isDue = now - line >= NANOS_A_LINE || done == count;
    if (isDue && lineAt.compareAndSet(line, now)) {
      out.printf(
          "\r%,d of %,d seeds, %,d a second, no failure seen",
          done, count, done / Math.max(1, seconds()));
      out.flush();
    }
  }

  private long seconds() {
    return (time.nanoTime() - begun) / 1_000_000_000L;
  }
}
