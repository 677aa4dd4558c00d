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

  /** Returns what each round took; what comes before, while the JVMs compile, is not counted. */
  Map<Entrant, List<Drained>> run(List<EntrantProcess> processes) throws IOException, SQLException {
    for (EntrantProcess process : Turns.of(processes, Entrant.DRAINING, 0)) {
      warmUp(process);
    }
    Map<Entrant, List<Drained>> measured = new EnumMap<>(Entrant.class);
    for (int round = 1; round <= plan.drainRounds(); round++) {
      for (EntrantProcess process : Turns.of(processes, Entrant.DRAINING, round)) {
        Entrant entrant = process.entrant();
        Drained drained = turn(process, messages.getOrDefault(entrant, 0));
        say("round " + round, entrant, drained);
        measured.computeIfAbsent(entrant, key -> new ArrayList<>()).add(drained);
      }
    }
    return measured;
  }

  /** As long for who is fast as for who is not, or the fast ones would still compile when timed. */
  private void warmUp(EntrantProcess process) throws IOException, SQLException {
    Entrant entrant = process.entrant();
    Drained drained = turn(process, plan.warmUpMessages(entrant));
    say("warm-up", entrant, drained);
    int waiting = plan.messages(entrant, drained);
    for (double s = drained.seconds(); s < plan.drainSeconds(); s += drained.seconds()) {
      drained = turn(process, waiting);
      say("warm-up", entrant, drained);
    }
    messages.put(entrant, waiting);
  }

  private Drained turn(EntrantProcess process, int waiting) throws IOException, SQLException {
    return Drained.of(
        databases.waiting(
            process,
            waiting,
            jdbcUrl -> process.tell("drain", jdbcUrl, waiting, plan.drainMillisMax(), serverPid)));
  }

  private void say(String when, Entrant entrant, Drained drained) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "drain, %s: %s %,.0f/s (%,d of %,d in %.2f s), %,d reordered",
            when,
            entrant.id(),
            drained.perSecond(),
            drained.published(),
            drained.waiting(),
            drained.seconds(),
            drained.reordered()));
  }
}
