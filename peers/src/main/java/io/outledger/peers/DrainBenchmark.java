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

/** Lets every entrant drain its backlog, in turns. */
final class DrainBenchmark {

  private final TurnDatabases databases;
  private final long serverPid;
  private final ComparePlan plan;
  private final Consumer<String> progress;
  private final Map<Entrant, Integer> messages = new EnumMap<>(Entrant.class);

  DrainBenchmark(
      TurnDatabases databases, long serverPid, ComparePlan plan, Consumer<String> progress) {
    this.databases = databases;
    this.serverPid = serverPid;
    this.plan = plan;
    this.progress = progress;
  }

  /** Returns what each round took; the first, in which the JVMs compile, is not among them. */
  Map<Entrant, List<Drained>> run(List<ContenderProcess> processes)
      throws IOException, SQLException {
    Map<Entrant, List<Drained>> measured = new EnumMap<>(Entrant.class);
    for (int round = 0; round <= plan.drainRounds(); round++) {
      for (ContenderProcess process : Turns.of(processes, Entrant.DRAINING, round)) {
        Entrant entrant = process.entrant();
        int waiting = messages.getOrDefault(entrant, plan.warmUpMessages(entrant));
        Drained drained = turn(process, waiting);
        say(round, entrant, drained);
        if (round == 0) {
          messages.put(entrant, plan.messages(entrant, drained));
        } else {
          measured.computeIfAbsent(entrant, key -> new ArrayList<>()).add(drained);
        }
      }
    }
    return measured;
  }

  private Drained turn(ContenderProcess process, int waiting) throws IOException, SQLException {
    return Drained.of(
        databases.waiting(
            process,
            waiting,
            jdbcUrl -> process.tell("drain", jdbcUrl, waiting, plan.drainMillisMax(), serverPid)));
  }

  private void say(int round, Entrant entrant, Drained drained) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "drain, %s: %s %,.0f/s (%,d of %,d in %.2f s), %,d reordered",
            round == 0 ? "warm-up" : "round " + round,
            entrant.id(),
            drained.perSecond(),
            drained.published(),
            drained.waiting(),
            drained.seconds(),
            drained.reordered()));
  }
}
