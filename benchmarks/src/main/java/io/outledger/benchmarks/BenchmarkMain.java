// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** What {@code benchmarks/run} starts, once it has checked what it was given. */
final class BenchmarkMain {

  private BenchmarkMain() {}

  /**
   * Measures and prints.
   *
   * @param args how many messages, how many rounds, and perhaps a file for the figures as JSON
   */
  public static void main(String[] args) throws IOException, SQLException, InterruptedException {
    RelayPlan plan = RelayPlan.of(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
    Figures figures = new RelayBenchmark(plan, System.out::println).run();
    System.out.println(FiguresTable.of(figures));
    if (args.length > 2) {
      Files.writeString(Path.of(args[2]), FiguresJson.of(figures));
    }
  }
}
