// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.ResumeReplay;
import io.outledger.jdbc.admin.Verb;
import io.outledger.relay.context.Wakeup;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * A replay of everything, processed again, at a rate and beside the live flow: its owner is killed
 * twice, it is stopped once and resumed. How often each message was processed is counted by SQL;
 * how long live messages take is measured before it and beside it.
 */
final class ReplayBenchmark {

  private static final Duration PATIENCE = Duration.ofMinutes(60);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final int[] KILLED_AT = {40, 55};
  private static final int STOPPED_AT = 75;
  private static final int P99 = 99;

  private static final String COUNT = "SELECT count(*) FROM effect";

  private static final String PROCESSED =
      """
      SELECT count(*) FROM (SELECT position FROM effect WHERE position %s %d
                             GROUP BY position HAVING count(*) = %d) p\
      """;

  private final Plan plan;
  private final Consumer<String> progress;

  ReplayBenchmark(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * What is measured.
   *
   * @param messages how many are replayed
   * @param perSecond at which rate
   */
  record Plan(int messages, int perSecond) {

    private static final int MESSAGES = 1_000_000;
    private static final int PER_SECOND = 5_000;
    private static final int LIVE_SECONDS = 40;

    static Plan of(Wish wish) {
      return new Plan(wish.messages(MESSAGES), wish.rate(PER_SECOND));
    }

    /** Returns how many live messages are timed: not for longer than a quarter of the replay. */
    int live() {
      return Math.min(LIVE_SECONDS, Math.max(1, messages / perSecond / 4))
          * SteadyWriter.PER_SECOND;
    }
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws SQLException, InterruptedException {
    return new ReplayBenchmark(Plan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException, InterruptedException {
    try (Postgres server = Postgres.start()) {
      WaitingLedger ledger = WaitingLedger.empty(server);
      try (Connection connection = ledger.connect()) {
        Sql.run(connection, EffectsPublisher.TABLE);
        ledger.fill(plan.messages());
      }
      try (SmallPool pool = new SmallPool(ledger.jdbcUrl());
          Outledger outledger = Outledger.builder(pool).withoutRetention().build();
          ReplayOwners owners = new ReplayOwners(ledger.jdbcUrl(), outledger.admin())) {
        owners.start();
        return story(ledger, outledger, owners);
      }
    }
  }

  private Findings story(WaitingLedger ledger, Outledger outledger, ReplayOwners owners)
      throws SQLException, InterruptedException {
    progress.accept("processing all for the first time");
    await("all are processed", () -> ledger.number(COUNT) >= plan.messages());
    try (Connection connection = ledger.connect()) {
      Sql.run(connection, "VACUUM (ANALYZE)");
      Sql.run(connection, "CHECKPOINT");
    }
    LiveFlow live = new LiveFlow(ledger, outledger, plan.messages());
    Sample before = live.time(plan.live());
    progress.accept("live flow before: " + text(before));
    Requests requests = outledger.requests();
    Request replay = replay();
    requests.ask(replay);
    awaitDone(requests, replay, plan.perSecond());
    long done = done(requests, replay);
    long start = System.nanoTime();
    Sample beside = live.time(plan.live());
    double perSecond = (done(requests, replay) - done) * 1e9 / (System.nanoTime() - start);
    progress.accept(
        String.format(Locale.ROOT, "live flow beside %,.0f/s: %s", perSecond, text(beside)));
    kills(requests, replay, owners);
    awaitDone(requests, replay, share(STOPPED_AT));
    stopAndGoOn(requests, replay);
    return findings(ledger, new Flows(before, beside), perSecond, live.written());
  }

  /** How long live messages took, before the replay and beside it. */
  private record Flows(Sample before, Sample beside) {

    double ratio() {
      return beside.percentile(P99) / before.percentile(P99);
    }
  }

  private void kills(Requests requests, Request replay, ReplayOwners owners)
      throws SQLException, InterruptedException {
    for (int percent : KILLED_AT) {
      awaitDone(requests, replay, share(percent));
      owners.killOwner();
      progress.accept("its owner was killed at " + done(requests, replay));
    }
  }

  private long share(int percent) {
    return (long) plan.messages() * percent / 100;
  }

  private Request replay() {
    return new Verb.Replay(
            EffectsPublisher.SUBSCRIPTION,
            EffectsPublisher.ROUTE,
            ReplayRange.positions(1, plan.messages()),
            new Pace(plan.perSecond(), 0),
            true)
        .by("the benchmark", "to see what it costs");
  }

  private void stopAndGoOn(Requests requests, Request replay)
      throws SQLException, InterruptedException {
    requests.stop(replay.id());
    await("it is stopped", () -> state(requests, replay).isOver());
    RequestStatus stopped = requests.get(replay.id()).orElseThrow();
    progress.accept(stopped.result());
    if (stopped.state() != RequestState.STOPPED) {
      throw new IllegalStateException("not stopped halfway: " + stopped.result());
    }
    Request resume =
        new ResumeReplay(EffectsPublisher.SUBSCRIPTION, replay.id())
            .by("the benchmark", "to see that nothing is missing");
    progress.accept(requests.ask(resume).result());
    await("it goes on", () -> state(requests, replay).isOver());
    progress.accept(requests.get(replay.id()).orElseThrow().result());
  }

  private static RequestState state(Requests requests, Request request) {
    return requests.get(request.id()).orElseThrow().state();
  }

  private static long done(Requests requests, Request request) {
    return requests.get(request.id()).orElseThrow().done();
  }

  private static void awaitDone(Requests requests, Request request, long done)
      throws SQLException, InterruptedException {
    await("the replay has done " + done, () -> done(requests, request) >= done);
  }

  /** What is asked now and then, until it is so. */
  interface Question {
    boolean isSo() throws SQLException;
  }

  /** Looks seldom, for a look may count a million rows. */
  static void await(String what, Question question) throws SQLException, InterruptedException {
    long began = System.nanoTime();
    Wakeup wakeup = new Wakeup();
    while (!question.isSo()) {
      if (System.nanoTime() - began > PATIENCE.toNanos()) {
        throw new IllegalStateException("waited in vain until " + what);
      }
      wakeup.await(LOOK);
    }
  }

  private Findings findings(WaitingLedger ledger, Flows flows, double perSecond, int written)
      throws SQLException {
    Findings findings =
        new Findings(
            "%,d messages replayed at %,d a second, %,d live ones, PostgreSQL %s",
            plan.messages(), plan.perSecond(), written, ledger.text("SHOW server_version"));
    long again = counted(ledger, "<=", 2);
    add(findings, "again", "processed exactly once more", again, plan.messages());
    add(findings, "live", "live ones processed exactly once", counted(ledger, ">", 1), written);
    long all = 2L * plan.messages() + written;
    add(findings, "all", "effects in all", ledger.number(COUNT), all);
    findings.add("kills", "its owner killed", "%.0f", KILLED_AT.length, "2");
    findings.add("rate", "replayed a second", "%,.0f", perSecond, rateGoal());
    add(findings, "before", "live, before it", flows.before());
    add(findings, "beside", "live, beside it", flows.beside());
    return findings.add("ratio", "p99 beside it, of before", "%.2f", flows.ratio(), "<= 1.5");
  }

  /** Returns how many messages have so many effects, of the replayed or of the live ones. */
  private long counted(WaitingLedger ledger, String which, int effects) throws SQLException {
    return ledger.number(PROCESSED.formatted(which, plan.messages(), effects));
  }

  private static void add(Findings findings, String name, String what, long count, long wanted) {
    String goal = String.format(Locale.ROOT, "%,d", wanted);
    findings.add(name, what, "%,.0f", (double) count, goal);
  }

  private static void add(Findings findings, String name, String what, Sample sample) {
    findings.add(name + "P50", what + ", p50, ms", "%.1f", sample.median(), "");
    findings.add(name + "P99", what + ", p99, ms", "%.1f", sample.percentile(P99), "");
  }

  private String rateGoal() {
    return String.format(
        Locale.ROOT, "%,.0f to %,.0f", plan.perSecond() * 0.95, plan.perSecond() * 1.05);
  }

  private static String text(Sample sample) {
    return String.format(
        Locale.ROOT, "p50 %.1f ms, p99 %.1f ms", sample.median(), sample.percentile(P99));
  }
}
