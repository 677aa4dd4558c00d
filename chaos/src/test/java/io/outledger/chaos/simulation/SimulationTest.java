// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.chaos.checker.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Runs {@code outledger.seeds} seeds (2,000 unless set) from {@code outledger.firstSeed} (1), or
 * with {@code outledger.seed} that one alone, step by step.
 */
class SimulationTest {

  private static final int FAILURES_SHOWN_MAX = 5;

  @Test
  void everyPromiseHoldsForEverySeed() throws IOException {
    if (System.getProperty("outledger.seed") != null) {
      replay(Long.getLong("outledger.seed", 1));
      return;
    }
    long first = Long.getLong("outledger.firstSeed", 1);
    long count = Long.getLong("outledger.seeds", 2_000);
    List<String> failures = new ArrayList<>();
    for (long seed = first; seed < first + count && failures.size() < FAILURES_SHOWN_MAX; seed++) {
      Report report = Simulation.run(seed);
      if (!report.passed()) {
        failures.add("seed " + seed + " " + report + "\n  replay: " + command(seed));
      }
    }
    assertThat(failures).isEmpty();
    writeRecord(first, count);
  }

  private static void replay(long seed) {
    Report report = Simulation.run(seed, System.out::println);
    System.out.println(report);
    assertThat(report.passed()).as(report.toString()).isTrue();
  }

  private static String command(long seed) {
    return "./mvnw -pl chaos -am test -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false"
        + " -Doutledger.seed="
        + seed;
  }

  private static void writeRecord(long first, long count) throws IOException {
    String folder = System.getenv("OUTLEDGER_VERIFY_DIR");
    if (folder != null) {
      Files.createDirectories(Path.of(folder));
      Files.writeString(
          Path.of(folder, "seeds.jsonl"),
          "{\"kind\":\"seeds\",\"first\":%d,\"count\":%d}%n".formatted(first, count),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }
}
