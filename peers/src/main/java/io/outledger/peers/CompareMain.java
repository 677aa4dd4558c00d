// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.servers.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What {@code benchmarks/run compare} starts, once it has checked what it was given. */
final class CompareMain {

  private CompareMain() {}

  /**
   * Measures and prints.
   *
   * @param args {@code whole} or {@code quick}; a file for the figures as JSON, or a dash; and
   *     perhaps who takes part, if not all
   */
  public static void main(String[] args) throws IOException, SQLException {
    ComparePlan plan = args[0].equals("quick") ? ComparePlan.quick() : ComparePlan.whole();
    if (args.length > 2) {
      plan = plan.with(Arrays.stream(args).skip(2).map(Entrant::of).toList());
    }
    List<ContenderProcess> processes = new ArrayList<>();
    try (Postgres server = Postgres.start()) {
      for (Entrant entrant : plan.entrants()) {
        processes.add(ContenderProcess.start(entrant));
      }
      measure(server, plan, processes, args[1]);
    } finally {
      processes.forEach(ContenderProcess::close);
    }
  }

  private static void measure(
      Postgres server, ComparePlan plan, List<ContenderProcess> processes, String json)
      throws IOException, SQLException {
    DrainTable drain =
        new DrainTable(new DrainBenchmark(server, plan, System.out::println).run(processes));
    System.out.println();
    System.out.println(drain.markdown());
    if (!json.equals("-")) {
      Files.writeString(Path.of(json), "{\n  \"drain\": " + drain.json() + "\n}\n");
    }
  }
}
