// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import io.outledger.relay.context.Wakeup;
import io.outledger.servers.Await;
import io.outledger.servers.CpuTime;
import io.outledger.servers.Postgres;
import io.outledger.servers.RoundTrips;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** What a relay costs that has nothing to do: processor time on both sides, and queries. */
final class IdleBenchmark {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final double PERCENT = 100;

  private final Plan plan;
  private final Consumer<String> progress;

  IdleBenchmark(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * What is measured.
   *
   * @param rounds how often
   * @param round how long each time
   * @param warmUpPolls how many polls are made before, one after the other: a relay that has been
   *     idle for hours runs compiled code
   */
  record Plan(int rounds, Duration round, int warmUpPolls) {

    private static final int ROUNDS = 5;
    private static final int WARM_UP_POLLS = 60_000;

    static Plan of(Wish wish) {
      return new Plan(wish.rounds(ROUNDS), Duration.ofSeconds(20), WARM_UP_POLLS);
    }
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws IOException, SQLException, InterruptedException {
    return new IdleBenchmark(Plan.of(wish), progress).run().report();
  }

  /** Percents of a core, and saves a second. */
  private record Round(double jvm, Own own, double backend, double server, double saves) {}

  /** Of the JVM's, what threads of Outledger take, and what of it moves scheduled messages. */
  private record Own(double all, double mover) {}

  Findings run() throws IOException, SQLException, InterruptedException {
    try (Postgres server = Postgres.start()) {
      WaitingLedger ledger = WaitingLedger.empty(server);
      double queries = queriesPerSecond(server, ledger);
      try (SmallPool pool = new SmallPool(ledger.jdbcUrl());
          Outledger outledger = Outledger.builder(pool).build()) {
        warmUp(outledger);
        start(outledger, "idle");
        List<Round> rounds = new ArrayList<>();
        for (int number = 1; number <= plan.rounds(); number++) {
          Round round = round(server, ledger);
          rounds.add(round);
          progress.accept(
              String.format(
                  Locale.ROOT,
                  "round %d: this JVM %.2f %% of a core, its backend %.2f %%, the whole server"
                      + " %.2f %%",
                  number,
                  round.jvm(),
                  round.backend(),
                  round.server()));
        }
        return findings(ledger, rounds)
            .add("queriesPerSecond", "round trips a second", "%.1f", queries, "");
      }
    }
  }

  /** Counted on the wire, apart: counting takes time of this JVM, too. */
  private double queriesPerSecond(Postgres server, WaitingLedger ledger)
      throws IOException, SQLException, InterruptedException {
    try (RoundTrips line = new RoundTrips(server.port());
        SmallPool pool = new SmallPool(ledger.jdbcUrl(line.port()));
        Outledger outledger = Outledger.builder(pool).build()) {
      start(outledger, "counted");
      line.take();
      new Wakeup().await(plan.round());
      return line.take() / (double) plan.round().toSeconds();
    }
  }

  private void warmUp(Outledger outledger) throws InterruptedException {
    try (Relay relay = outledger.relay("idle").to(AnswersAtOnce.PUBLISHED).build()) {
      for (int i = 0; i < plan.warmUpPolls(); i++) {
        relay.step();
      }
      relay.drain(PATIENCE); // gives the lease back
    }
  }

  private static void start(Outledger outledger, String subscription) {
    RunningRelay relay = outledger.relay(subscription).to(AnswersAtOnce.PUBLISHED).start();
    Await.until(
        "the relay owns its subscription", PATIENCE, () -> relay.state() == StepReport.State.OWNER);
  }

  private Round round(Postgres server, WaitingLedger ledger)
      throws SQLException, InterruptedException {
    long backend =
        ledger.number("SELECT pid FROM pg_stat_activity WHERE application_name LIKE '%idle%'");
    long saves = saves(ledger);
    double jvmBefore = CpuTime.ownSeconds();
    double ownBefore = threadSeconds("outledger-");
    double moverBefore = threadSeconds("outledger-mover");
    double backendBefore = CpuTime.seconds(backend);
    double serverBefore = CpuTime.seconds(server.pid());
    long start = System.nanoTime();
    new Wakeup().await(plan.round());
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Round(
        PERCENT * (CpuTime.ownSeconds() - jvmBefore) / seconds,
        new Own(
            PERCENT * (threadSeconds("outledger-") - ownBefore) / seconds,
            PERCENT * (threadSeconds("outledger-mover") - moverBefore) / seconds),
        PERCENT * (CpuTime.seconds(backend) - backendBefore) / seconds,
        PERCENT * (CpuTime.seconds(server.pid()) - serverBefore) / seconds,
        (saves(ledger) - saves) / seconds);
  }

  /** Of threads by their names, without what the JVM does beside them. */
  private static double threadSeconds(String prefix) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
            .filter(thread -> thread != null && thread.getThreadName().startsWith(prefix))
            .mapToLong(thread -> threads.getThreadCpuTime(thread.getThreadId()))
            .sum()
        / 1e9;
  }

  private static long saves(WaitingLedger ledger) throws SQLException {
    return ledger.number("SELECT max(n) FROM outledger_cursor WHERE subscription = 'idle'");
  }

  private Findings findings(WaitingLedger ledger, List<Round> rounds) throws SQLException {
    String target = "<= 1 %";
    Findings findings =
        new Findings(
            "an idle relay, %d times %d s, PostgreSQL %s",
            plan.rounds(), plan.round().toSeconds(), ledger.text("SHOW server_version"));
    findings.add(
        "jvmPercent", "this JVM, of a core", "%.2f %%", sample(rounds, Round::jvm), target);
    findings.add(
        "relayPercent",
        "of that Outledger's threads",
        "%.2f %%",
        sample(rounds, round -> round.own().all()),
        "");
    findings.add(
        "moverPercent",
        "of these the mover's",
        "%.3f %%",
        sample(rounds, round -> round.own().mover()),
        "<= 0.1 %");
    findings.add(
        "backendPercent",
        "the relay's backend, of a core",
        "%.2f %%",
        sample(rounds, Round::backend),
        target);
    findings.add(
        "serverPercent",
        "the whole server, of a core",
        "%.2f %%",
        sample(rounds, Round::server),
        "");
    findings.add("savesPerSecond", "saves a second", "%.2f", sample(rounds, Round::saves), "");
    return findings;
  }

  private static Sample sample(List<Round> rounds, ToDoubleFunction<Round> value) {
    return Sample.of(rounds.stream().map(value::applyAsDouble).toList());
  }
}
