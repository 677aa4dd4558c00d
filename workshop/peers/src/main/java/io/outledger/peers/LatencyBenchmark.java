// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Times single messages of every entrant that publishes, at each rate. */
final class LatencyBenchmark {

  private final TurnDatabases databases;
  private final ComparePlan plan;
  private final Consumer<String> progress;

  LatencyBenchmark(TurnDatabases databases, ComparePlan plan, Consumer<String> progress) {
    this.databases = databases;
    this.plan = plan;
    this.progress = progress;
  }

  /** What is timed in a database. */
  private interface Timed {
    Reply in(EntrantProcess process, String jdbcUrl) throws IOException;
  }

  private record Part(String where, Set<Entrant> who, Timed timed) {}

  /** Returns what each round showed, by its messages a second. */
  Map<Entrant, Map<Integer, List<Latency>>> together(List<EntrantProcess> processes)
      throws IOException, SQLException {
    int seconds = plan.timing().seconds();
    return run(
        processes,
        new Part(
            "one JVM",
            Entrant.TIMED,
            (process, jdbcUrl) -> process.tell("time", jdbcUrl, seconds)));
  }

  /** The same where each one writes in another process. */
  Map<Entrant, Map<Integer, List<Latency>>> apart(List<EntrantProcess> processes)
      throws IOException, SQLException {
    try (WriterProcesses writers = new WriterProcesses(plan.timing().seconds())) {
      return run(processes, new Part("another process", Entrant.TIMED_APART, writers::time));
    }
  }

  private Map<Entrant, Map<Integer, List<Latency>>> run(List<EntrantProcess> processes, Part part)
      throws IOException, SQLException {
    Map<Entrant, Map<Integer, List<Latency>>> measured = new EnumMap<>(Entrant.class);
    for (int round = 1; round <= plan.timing().rounds(); round++) {
      for (EntrantProcess process : Turns.of(processes, part.who(), round)) {
        Reply reply = databases.fresh(jdbcUrl -> part.timed().in(process, jdbcUrl));
        for (int perSecond : LatencyTable.RATES) {
          Latency latency = Latency.of(reply, perSecond);
          say(part.where(), process.entrant(), perSecond, latency);
          measured
              .computeIfAbsent(process.entrant(), key -> new TreeMap<>())
              .computeIfAbsent(perSecond, key -> new ArrayList<>())
              .add(latency);
        }
      }
    }
    return measured;
  }

  private void say(String where, Entrant entrant, int perSecond, Latency latency) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "latency in %s at %,d/s: %s p50 %.2f ms, p99 %.2f ms, %,d missing",
            where,
            perSecond,
            entrant.id(),
            latency.p50(),
            latency.p99(),
            latency.missing()));
  }
}
