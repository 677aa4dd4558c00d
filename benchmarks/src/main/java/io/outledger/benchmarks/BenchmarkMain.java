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
   * @param args which benchmark, how many messages, how many rounds, and perhaps a file for the
   *     figures as JSON
   */
  public static void main(String[] args) throws IOException, SQLException, InterruptedException {
    int messages = Integer.parseInt(args[1]);
    int rounds = Integer.parseInt(args[2]);
    String json = args[0].equals("ageing") ? ageing(messages, rounds) : relay(messages, rounds);
    if (args.length > 3) {
      Files.writeString(Path.of(args[3]), json);
    }
  }

  private static String relay(int messages, int rounds)
      throws IOException, SQLException, InterruptedException {
    RelayPlan plan = RelayPlan.of(messages, rounds);
    Figures figures = new RelayBenchmark(plan, System.out::println).run();
    System.out.println(FiguresTable.of(figures));
    return FiguresJson.of(figures);
  }

  private static String ageing(int messages, int rounds) throws SQLException {
    AgeingPlan plan = AgeingPlan.of(messages, rounds);
    AgeingTable table = new AgeingTable(new AgeingBenchmark(plan, System.out::println).run());
    System.out.println();
    System.out.println(table.text());
    return table.json();
  }
}
