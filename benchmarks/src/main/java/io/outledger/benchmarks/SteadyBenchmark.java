// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Whether each database stays as fast as it was: how soon a hole is dropped, what an idle relay
 * takes, how long an append lasts beside a relay that looks for the end of a writer, and how fast a
 * relay drains behind settled messages, beside a held snapshot and beside an open writer.
 */
final class SteadyBenchmark {

  /** Its transactions begin with the lock for writers, so that nothing of another is open. */
  private static final String ONE_WRITER = "sqlite";

  private final Plan plan;
  private final Consumer<String> progress;

  SteadyBenchmark(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * What is measured.
   *
   * @param databases their names
   * @param messages that are drained each time
   * @param settled messages that are behind the cursor at last
   * @param rounds how often each takes its turn
   * @param holes that are dropped
   * @param idle how long a relay has nothing to do
   */
  record Plan(
      List<String> databases, int messages, int settled, int rounds, int holes, Duration idle) {

    private static final int MESSAGES = 50_000;
    private static final int SETTLED = 1_000_000;
    private static final int ROUNDS = 5;
    private static final int HOLES = 15;

    static Plan of(Wish wish) {
      List<String> names =
          wish.has("databases")
              ? wish.names("databases")
              : List.copyOf(MeasuredDatabase.ALL.keySet());
      return new Plan(
          names,
          wish.messages(MESSAGES),
          SETTLED,
          wish.rounds(ROUNDS),
          HOLES,
          Duration.ofSeconds(20));
    }
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws SQLException, InterruptedException {
    return new SteadyBenchmark(Plan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException, InterruptedException {
    Findings findings =
        new Findings(
            "%,d messages a drain, %d rounds, %d holes, %,d settled",
            plan.messages(), plan.rounds(), plan.holes(), plan.settled());
    for (String name : plan.databases()) {
      try (MeasuredDatabase database =
          Objects.requireNonNull(MeasuredDatabase.ALL.get(name), name).get()) {
        Schema.of(database.dataSource()).apply(database.dataSource());
        try (Outledger outledger =
            Outledger.builder(database.dataSource()).withoutRetention().build()) {
          findings.title(name, database.title());
          measure(database, outledger, findings);
        }
      }
    }
    return findings;
  }

  private void measure(MeasuredDatabase database, Outledger outledger, Findings findings)
      throws SQLException, InterruptedException {
    boolean isShared = !ONE_WRITER.equals(database.name());
    if (isShared) {
      say(database, "holes");
      new HoleTimes(database, outledger).measure(plan.holes(), findings);
    }
    say(database, "an idle relay");
    new IdleShare(database, outledger).measure(plan.idle(), findings);
    say(database, "appends");
    AppendTimes appends = new AppendTimes(database, outledger, plan.rounds());
    appends.besideARelay(isShared, findings);
    if (!isShared) {
      appends.withoutCheckpoints(findings);
    }
    say(database, "drains");
    new SteadyDrains(database, outledger, plan).measure(isShared, findings);
  }

  private void say(MeasuredDatabase database, String what) {
    progress.accept(String.format(Locale.ROOT, "%s: %s", database.name(), what));
  }
}
