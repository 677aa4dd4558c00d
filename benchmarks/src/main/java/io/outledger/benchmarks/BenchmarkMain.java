// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** What {@code benchmarks/run} starts, once it has checked what it was given. */
final class BenchmarkMain {

  /** Options without a value, which make another measurement of a benchmark. */
  private static final List<String> SWITCHES = List.of("kafka", "apart");

  private static final int MESSAGES = 1_000_000;
  private static final int ROUNDS = 7;

  private static final Map<String, Benchmark> ALL =
      Map.ofEntries(
          Map.entry("relay", BenchmarkMain::relay),
          Map.entry("ageing", BenchmarkMain::ageing),
          Map.entry("kafka", KafkaBenchmark::run),
          Map.entry("connect", ConnectBenchmark::run),
          Map.entry("brokers", BrokersBenchmark::run),
          Map.entry("idle", IdleBenchmark::run),
          Map.entry("backlog", BacklogBenchmark::run),
          Map.entry("inbox", InboxBenchmark::run),
          Map.entry("scheduled", ScheduledBenchmark::run),
          Map.entry("subscriptions", SubscriptionsBenchmark::run),
          Map.entry("databases", DatabasesBenchmark::run),
          Map.entry("steady", SteadyBenchmark::run),
          Map.entry("lifetime", LifetimeBenchmark::run),
          Map.entry("admin", AdminBenchmark::run),
          Map.entry("replay", ReplayBenchmark::run),
          Map.entry("handlers", HandlersBenchmark::run),
          Map.entry("partitions", PartitionsBenchmark::run),
          Map.entry("payloads", PayloadsBenchmark::run),
          Map.entry("spring", SpringBenchmark::run));

  private BenchmarkMain() {}

  /**
   * Measures and prints.
   *
   * @param args which benchmark, and then words such as {@code rounds=7}, of which {@code json}
   *     names a file for the figures and {@code into} the folder of pages; empty ones were left out
   */
  public static void main(String[] args) throws IOException, SQLException, InterruptedException {
    Map<String, String> said =
        Arrays.stream(args)
            .skip(1)
            .map(word -> word.split("=", 2))
            .collect(Collectors.toMap(word -> word[0], word -> word[1]));
    Benchmark benchmark = ALL.get(args[0]);
    if (benchmark == null) {
      throw new IllegalArgumentException("there is no benchmark " + args[0]);
    }
    Benchmark.Report report = benchmark.run(new Wish(said), System.out::println);
    System.out.println();
    System.out.println(report.text());
    String json = said.getOrDefault("json", "");
    if (!json.isEmpty()) {
      Files.writeString(Path.of(json), report.json());
    }
    String into = said.getOrDefault("into", "");
    if (!into.isEmpty()) {
      Wish wish = new Wish(said);
      String name =
          args[0]
              + String.join(
                  "", SWITCHES.stream().filter(wish::has).map(each -> "-" + each).toList());
      String table = "```\n" + report.text().strip() + "\n```";
      new FiguresPages(Path.of(into)).write(name, command(args[0], said), table);
    }
    System.exit(0); // threads of some brokers' clients would live on
  }

  private static String command(String benchmark, Map<String, String> said) {
    StringBuilder command = new StringBuilder("benchmarks/run ").append(benchmark);
    for (String option : List.of("messages", "rounds", "rate", "brokers", "databases")) {
      String value = said.getOrDefault(option, "");
      command.append(value.isEmpty() ? "" : " --" + option + " " + value);
    }
    SWITCHES.stream().filter(new Wish(said)::has).forEach(each -> command.append(" --" + each));
    return command.toString();
  }

  private static Benchmark.Report relay(Wish wish, Consumer<String> progress)
      throws IOException, SQLException, InterruptedException {
    RelayPlan plan = RelayPlan.of(wish.messages(MESSAGES), wish.rounds(ROUNDS));
    Figures figures = new RelayBenchmark(plan, progress).run();
    return new Benchmark.Report(FiguresTable.of(figures), FiguresJson.of(figures));
  }

  private static Benchmark.Report ageing(Wish wish, Consumer<String> progress) throws SQLException {
    AgeingPlan plan = AgeingPlan.of(wish.messages(MESSAGES), wish.rounds(ROUNDS));
    AgeingTable table = new AgeingTable(new AgeingBenchmark(plan, progress).run());
    return new Benchmark.Report(table.text(), table.json());
  }
}
