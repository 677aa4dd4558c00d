// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  /** Returns what each round showed, by its messages a second. */
  Map<Entrant, Map<Integer, List<Latency>>> run(List<ContenderProcess> processes)
      throws IOException, SQLException {
    Map<Entrant, Map<Integer, List<Latency>>> measured = new EnumMap<>(Entrant.class);
    for (int round = 1; round <= plan.timing().rounds(); round++) {
      for (ContenderProcess process : Turns.of(processes, Entrant.TIMED, round)) {
        Reply reply =
            databases.fresh(jdbcUrl -> process.tell("time", jdbcUrl, plan.timing().seconds()));
        for (int perSecond : LatencyTable.RATES) {
          Latency latency = Latency.of(reply, perSecond);
          say(process.entrant(), perSecond, latency);
          measured
              .computeIfAbsent(process.entrant(), key -> new TreeMap<>())
              .computeIfAbsent(perSecond, key -> new ArrayList<>())
              .add(latency);
        }
      }
    }
    return measured;
  }

  private void say(Entrant entrant, int perSecond, Latency latency) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "latency at %,d/s: %s p50 %.2f ms, p99 %.2f ms, %,d missing",
            perSecond,
            entrant.id(),
            latency.p50(),
            latency.p99(),
            latency.missing()));
  }
}
