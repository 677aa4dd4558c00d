// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Lets every entrant that writes in a way of its own write its business and its messages. */
final class WriteBenchmark {

  private final TurnDatabases databases;
  private final int serverPort;
  private final ComparePlan plan;
  private final Consumer<String> progress;

  WriteBenchmark(
      TurnDatabases databases, int serverPort, ComparePlan plan, Consumer<String> progress) {
    this.databases = databases;
    this.serverPort = serverPort;
    this.plan = plan;
    this.progress = progress;
  }

  /** Returns what each round took, under each load. */
  Map<Entrant, List<Written>> run(List<EntrantProcess> processes) throws IOException, SQLException {
    Map<Entrant, List<Written>> measured = new EnumMap<>(Entrant.class);
    for (int round = 1; round <= plan.writing().rounds(); round++) {
      for (EntrantProcess process : Turns.of(processes, Entrant.WRITING, round)) {
        Entrant entrant = process.entrant();
        Reply reply =
            databases.fresh(
                jdbcUrl -> process.tell("write", jdbcUrl, plan.writing().millis(), serverPort));
        for (Load load : Written.LOADS) {
          Written written = Written.of(load, reply);
          say(round, entrant, written);
          measured.computeIfAbsent(entrant, key -> new ArrayList<>()).add(written);
        }
      }
    }
    return measured;
  }

  private void say(int round, Entrant entrant, Written written) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "write, round %d: %s, %d threads, %d messages: %,.0f transactions/s",
            round,
            entrant.id(),
            written.load().threads(),
            written.load().messages(),
            written.perSecond()));
  }
}
