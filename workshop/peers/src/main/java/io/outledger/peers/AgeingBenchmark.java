// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Lets every entrant publish and save fresh, and under each burden, in turns. */
final class AgeingBenchmark {

  private final TurnDatabases databases;
  private final long serverPid;
  private final ComparePlan plan;
  private final Consumer<String> progress;
  private final Map<Entrant, Integer> messages = new EnumMap<>(Entrant.class);

  AgeingBenchmark(
      TurnDatabases databases, long serverPid, ComparePlan plan, Consumer<String> progress) {
    this.databases = databases;
    this.serverPid = serverPid;
    this.plan = plan;
    this.progress = progress;
  }

  /** Returns what each round took; the first, in which the JVMs compile, is not among them. */
  Map<Entrant, Map<EntrantBurden, List<Aged>>> run(List<EntrantProcess> processes)
      throws IOException, SQLException {
    for (EntrantProcess process : Turns.of(processes, Entrant.AGEING, 0)) {
      warmUp(process);
    }
    Map<Entrant, Map<EntrantBurden, List<Aged>>> measured = new EnumMap<>(Entrant.class);
    for (int round = 1; round <= plan.ageing().rounds(); round++) {
      for (EntrantProcess process : Turns.of(processes, Entrant.AGEING, round)) {
        measure(
            round,
            process,
            measured.computeIfAbsent(process.entrant(), key -> new EnumMap<>(EntrantBurden.class)));
      }
    }
    return measured;
  }

  /** Twice: the first turn shows how much may wait, and the second compiles what that needs. */
  private void warmUp(EntrantProcess process) throws IOException, SQLException {
    Entrant entrant = process.entrant();
    Aged first = turn(process, EntrantBurden.NONE, plan.agedWarmUpMessages(entrant));
    int waiting = plan.agedMessages(entrant, first.drained());
    messages.put(entrant, waiting);
    say("warm-up", entrant, EntrantBurden.NONE, turn(process, EntrantBurden.NONE, waiting));
  }

  /** A turn beside the same entrant's fresh one, so that both find the machine alike. */
  private void measure(int round, EntrantProcess process, Map<EntrantBurden, List<Aged>> measured)
      throws IOException, SQLException {
    Entrant entrant = process.entrant();
    List<EntrantBurden> burdens = new ArrayList<>(List.of(EntrantBurden.values()));
    if (round % 2 == 0) {
      Collections.reverse(burdens); // what compiles meanwhile helps whoever comes later
    }
    for (EntrantBurden burden : burdens) {
      if (burden.isCarriedBy(entrant)) {
        Aged aged = turn(process, burden, messages.getOrDefault(entrant, 0));
        say("round " + round, entrant, burden, aged);
        measured.computeIfAbsent(burden, key -> new ArrayList<>()).add(aged);
      }
    }
  }

  private Aged turn(EntrantProcess process, EntrantBurden burden, int waiting)
      throws IOException, SQLException {
    TurnDatabases.Turn turn =
        jdbcUrl ->
            process.tell(
                "age",
                jdbcUrl,
                burden,
                waiting,
                plan.ageing().drainMillisMax(),
                plan.ageing().saveMillis(),
                serverPid);
    return Aged.of(
        burden == EntrantBurden.SETTLED
            ? databases.settled(process, plan.ageing().settled(), turn)
            : databases.fresh(turn));
  }

  private void say(String when, Entrant entrant, EntrantBurden burden, Aged aged) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "ageing, %s: %s, %s: %,.0f/s (%,d of %,d in %.2f s), save p50 %.2f ms, p99 %.2f ms",
            when,
            entrant.id(),
            burden.label(),
            aged.perSecond(),
            aged.drained().published(),
            aged.drained().waiting(),
            aged.drained().seconds(),
            aged.saveP50(),
            aged.saveP99()));
  }
}
