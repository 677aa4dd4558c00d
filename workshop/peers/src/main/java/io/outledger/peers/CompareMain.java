// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.FiguresPages;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code benchmarks/run compare} starts, once it has checked what it was given. */
final class CompareMain {

  private final Map<String, String> said;
  private final ComparePlan plan;

  private CompareMain(Map<String, String> said) {
    this.said = said;
    this.plan = plan(said);
  }

  /**
   * Measures and prints; says what is wrong, and exits with 2, where somebody unknown is to take
   * part.
   *
   * @param args words such as {@code rounds=7}: {@code messages}, {@code rounds}, {@code quick},
   *     {@code who} takes part, what is measured ({@code only}), the file for the figures as {@code
   *     json}, and {@code into}, the folder of pages and charts; empty ones were left out
   */
  public static void main(String[] args) throws IOException, SQLException {
    Map<String, String> said =
        Arrays.stream(args)
            .map(word -> word.split("=", 2))
            .filter(word -> !word[1].isEmpty())
            .collect(Collectors.toMap(word -> word[0], word -> word[1]));
    CompareMain compare;
    try {
      compare = new CompareMain(said);
    } catch (IllegalArgumentException e) {
      System.err.println("compare: " + e.getMessage());
      System.exit(2);
      return;
    }
    compare.run();
  }

  private static ComparePlan plan(Map<String, String> said) {
    ComparePlan plan = said.containsKey("quick") ? ComparePlan.quick() : ComparePlan.whole();
    if (said.containsKey("messages")) {
      plan = plan.ofMessages(Integer.parseInt(said.getOrDefault("messages", "")));
    }
    if (said.containsKey("rounds")) {
      plan = plan.ofRounds(Integer.parseInt(said.getOrDefault("rounds", "")));
    }
    String who = said.getOrDefault("who", "");
    return who.isEmpty()
        ? plan
        : plan.of(Arrays.stream(who.split(",", -1)).map(Entrant::of).toList());
  }

  private void run() throws IOException, SQLException {
    List<EntrantProcess> processes = new ArrayList<>();
    try (Postgres server = Postgres.start()) {
      for (Entrant entrant : plan.entrants()) {
        processes.add(EntrantProcess.start(entrant));
      }
      measure(server, processes);
    } finally {
      processes.forEach(EntrantProcess::close);
    }
  }

  private void measure(Postgres server, List<EntrantProcess> processes)
      throws IOException, SQLException {
    TurnDatabases databases = new TurnDatabases(server, System.out::println);
    List<String> json = new ArrayList<>();
    if (isAsked("drain")) {
      json.add("\"drain\": " + drain(databases, server, processes));
    }
    if (isAsked("write")) {
      json.add("\"write\": " + write(databases, server, processes));
    }
    if (isAsked("latency")) {
      json.add("\"latency\": " + latency(databases, processes));
    }
    if (isAsked("apart")) {
      json.add("\"apart\": " + apart(databases, processes));
    }
    if (isAsked("ageing")) {
      json.add("\"ageing\": " + ageing(databases, server, processes));
    }
    if (said.containsKey("json")) {
      Files.writeString(
          Path.of(said.getOrDefault("json", "")), "{\n  " + String.join(",\n  ", json) + "\n}\n");
    }
  }

  private boolean isAsked(String part) {
    return List.of(said.getOrDefault("only", part).split(",", -1)).contains(part);
  }

  private String drain(TurnDatabases databases, Postgres server, List<EntrantProcess> processes)
      throws IOException, SQLException {
    Map<Entrant, List<Drained>> measured =
        new DrainBenchmark(databases, server.pid(), plan, System.out::println).run(processes);
    DrainTable table = new DrainTable(measured);
    System.out.println("\n" + table.markdown());
    if (said.containsKey("into")) {
      charts().drain(table, measured.keySet());
      page("drain", table.markdown());
    }
    return table.json();
  }

  private String write(TurnDatabases databases, Postgres server, List<EntrantProcess> processes)
      throws IOException, SQLException {
    Map<Entrant, List<Written>> measured =
        new WriteBenchmark(databases, server.port(), plan, System.out::println).run(processes);
    WriteTable table = new WriteTable(measured);
    System.out.println("\n" + table.markdown());
    if (said.containsKey("into")) {
      charts().write(table, measured.keySet());
      page("write", table.markdown());
    }
    return table.json();
  }

  private String latency(TurnDatabases databases, List<EntrantProcess> processes)
      throws IOException, SQLException {
    LatencyBenchmark benchmark = new LatencyBenchmark(databases, plan, System.out::println);
    return tell(LatencyTable.together(benchmark.together(processes)), "latency", "latency.svg");
  }

  private String apart(TurnDatabases databases, List<EntrantProcess> processes)
      throws IOException, SQLException {
    LatencyBenchmark benchmark = new LatencyBenchmark(databases, plan, System.out::println);
    return tell(LatencyTable.apart(benchmark.apart(processes)), "apart", "latency-apart.svg");
  }

  private String tell(LatencyTable table, String part, String chart) throws IOException {
    System.out.println("\n" + table.markdown());
    if (said.containsKey("into")) {
      charts().latency(table, chart);
      page(part, table.markdown());
    }
    return table.json();
  }

  private String ageing(TurnDatabases databases, Postgres server, List<EntrantProcess> processes)
      throws IOException, SQLException {
    Map<Entrant, Map<EntrantBurden, List<Aged>>> measured =
        new AgeingBenchmark(databases, server.pid(), plan, System.out::println).run(processes);
    AgeingTable table = new AgeingTable(measured);
    System.out.println("\n" + table.markdown());
    if (said.containsKey("into")) {
      charts().ageing(table);
      page("ageing", table.markdown());
    }
    return table.json();
  }

  private CompareCharts charts() {
    return new CompareCharts(into());
  }

  private void page(String part, String table) throws IOException {
    String command = "benchmarks/run compare --only " + part;
    for (String option : List.of("messages", "rounds", "who")) {
      command += said.containsKey(option) ? " --" + option + " " + said.get(option) : "";
    }
    command += said.containsKey("quick") ? " --quick" : "";
    new FiguresPages(into()).write("compare-" + part, command, table);
  }

  private Path into() {
    return Path.of(said.getOrDefault("into", "."));
  }
}
