// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Whether a subscription stays as fast as it was: each burden beside none, turn by turn. */
final class AgeingBenchmark {

  private final AgeingPlan plan;
  private final Consumer<String> progress;

  AgeingBenchmark(AgeingPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /** Measures, and returns every drain by its burden, in the order of the rounds. */
  Map<Burden, List<AgedDrain.Drained>> run() throws SQLException {
    Map<Burden, List<AgedDrain.Drained>> measured = new EnumMap<>(Burden.class);
    try (Postgres server = Postgres.start()) {
      new AgedDrain(server, Burden.NONE, plan).run(); // not counted: the JVM compiles
      List<Burden> order = new ArrayList<>(List.of(Burden.values()));
      for (int round = 1; round <= plan.rounds(); round++) {
        for (Burden burden : order) {
          AgedDrain.Drained drained = new AgedDrain(server, burden, plan).run();
          measured.computeIfAbsent(burden, absent -> new ArrayList<>()).add(drained);
          progress.accept(
              String.format(
                  Locale.ROOT,
                  "round %d, %s: %,.0f messages a second, then %,.0f idle polls; save p50 %.2f ms,"
                      + " p99 %.2f ms",
                  round,
                  burden.label(),
                  drained.perSecond(),
                  drained.polls(),
                  drained.save().p50(),
                  drained.save().p99()));
        }
        Collections.rotate(order, 1); // so that none always finds another's caches
      }
    }
    return measured;
  }
}
