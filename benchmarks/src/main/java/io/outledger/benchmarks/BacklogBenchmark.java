// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * A broker that is down while millions of messages come, and then is back: what it costs meanwhile,
 * and how fast, in which order and in how much memory all are delivered.
 */
final class BacklogBenchmark {

  private static final Duration PATIENCE = Duration.ofMinutes(60);
  private static final int CHUNK = 500_000;

  private final BacklogPlan plan;
  private final Consumer<String> progress;
  private final SwitchedBroker broker = new SwitchedBroker();

  BacklogBenchmark(BacklogPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws SQLException, InterruptedException {
    return new BacklogBenchmark(BacklogPlan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException, InterruptedException {
    try (Postgres server = Postgres.builder().setting("max_wal_size", "4GB").start()) {
      WaitingLedger ledger = WaitingLedger.empty(server);
      Findings findings =
          new Findings(
              "%,d messages, broker down and up, PostgreSQL %s",
              plan.messages(), ledger.text("SHOW server_version"));
      ledger.fill(plan.steady());
      Sample steady = steadyRates(ledger);
      broker.reset();
      try (HeapPeak heap = HeapPeak.watch();
          Outledger outledger = Outledger.builder(ledger.dataSource()).build()) {
        outledger.relay("backlog").to(broker).start(); // ends with the one it comes from
        awaitAll(rows(ledger));
        whileDown(ledger, WaitingLedger.empty(server), findings);
        afterwards(ledger, steady, findings);
        findings.add("heapMib", "heap in use after collections, MiB", "%.0f", heap.mib(), "<= 256");
      }
      return findings;
    }
  }

  /** Counts once: to count millions of rows again and again would take the drain's time. */
  private static long rows(WaitingLedger ledger) throws SQLException {
    return ledger.number("SELECT count(*) FROM outledger_message");
  }

  private void awaitAll(long rows) {
    Await.until("all is delivered", PATIENCE, () -> broker.delivered() >= rows);
  }

  /** The first is not counted: the JVM compiles then. */
  private Sample steadyRates(WaitingLedger ledger) throws SQLException, InterruptedException {
    List<Double> rates = new ArrayList<>();
    long waiting = ledger.number("SELECT count(*) FROM outledger_message");
    for (int round = 0; round <= plan.rounds(); round++) {
      broker.reset();
      new RelayDrain(ledger, "steady-" + round, broker).run();
      double rate = waiting / broker.secondsFromFirstToLast();
      if (round > 0) {
        rates.add(rate);
        say("steady rate: %,.0f messages a second", rate);
      }
    }
    return Sample.of(rates);
  }

  /** What a writer commits beside the backlog and the relay, and in a database with neither. */
  private record Writing(List<Double> beside, List<Double> elsewhere) {}

  /** Turn by turn, since others may use the disk, too. */
  private Writing writing(WaitingLedger ledger, WaitingLedger empty) throws SQLException {
    Writing writing = new Writing(new ArrayList<>(), new ArrayList<>());
    try (Outledger outledger = Outledger.builder(ledger.dataSource()).build()) {
      for (int round = 0; round <= plan.rounds(); round++) {
        double beside = new BusyWriter(ledger).write(outledger, plan.writing()).perSecond();
        double elsewhere = new BusyWriter(empty).write(outledger, plan.writing()).perSecond();
        if (round > 0) { // the first is not counted
          writing.beside().add(beside);
          writing.elsewhere().add(elsewhere);
        }
      }
    }
    return writing;
  }

  private void whileDown(WaitingLedger ledger, WaitingLedger empty, Findings findings)
      throws SQLException {
    broker.switchTo(false);
    long downSince = System.nanoTime();
    long scans = ledger.indexScans();
    int chunk = Math.min(CHUNK, plan.messages() - plan.steady());
    ledger.fill(chunk);
    long onTheWay = broker.attemptsWhileOff(); // a page, which fails as a whole
    long since = System.nanoTime();
    fillUp(ledger, plan.steady() + chunk);
    Writing writing = writing(ledger, empty);
    double minutes = (System.nanoTime() - downSince) / 60e9;
    findings.add("minutesDown", "down, minutes", "%.1f", minutes, "");
    findings.add(
        "attempts",
        "attempts to publish while down",
        "%,.0f",
        (double) broker.attemptsWhileOff(),
        "");
    findings.add(
        "attemptsPerMinute",
        "  a minute, once what was on its way had failed",
        "%.1f",
        (broker.attemptsWhileOff() - onTheWay) * 60e9 / (System.nanoTime() - since),
        "");
    findings.add(
        "pollsPerMinute",
        "looks into the ledger while down, a minute",
        "%.1f",
        (ledger.indexScans() - scans) / minutes,
        "");
    Sample elsewhere = Sample.of(writing.elsewhere());
    Sample beside = Sample.of(writing.beside());
    findings.add("writerElsewhere", "writer elsewhere, commits a second", "%,.0f", elsewhere, "");
    findings.add("writerBeside", "writer while down, commits a second", "%,.0f", beside, "");
    findings.add(
        "writerRatio", "  of elsewhere", "%.2f", beside.median() / elsewhere.median(), ">= 0.90");
  }

  private void fillUp(WaitingLedger ledger, int waiting) throws SQLException {
    for (int filled = waiting; filled < plan.messages(); filled += CHUNK) {
      say("%,d messages wait", filled);
      ledger.fill(Math.min(CHUNK, plan.messages() - filled));
    }
    say("%,d messages wait", plan.messages());
  }

  private void afterwards(WaitingLedger ledger, Sample steady, Findings findings)
      throws SQLException {
    long before = broker.delivered();
    broker.mark();
    long rows = rows(ledger);
    long up = System.nanoTime();
    broker.switchTo(true);
    awaitAll(rows);
    double drained = (broker.delivered() - before) / broker.secondsFromFirstToLast();
    findings.add(
        "secondsToFirst",
        "broker back to first message, seconds",
        "%.1f",
        (broker.firstAt() - up) / 1e9,
        "<= 5");
    findings.add("steadyPerSecond", "steady rate, messages a second", "%,.0f", steady, "");
    findings.add("drainPerSecond", "drain rate, messages a second", "%,.0f", drained, "");
    findings.add("drainRatio", "  of steady", "%.2f", drained / steady.median(), ">= 0.80");
    findings.add(
        "undelivered", "not delivered", "%,.0f", (double) (rows - broker.delivered()), "0");
    findings.add("outOfOrder", "again or out of order", "%,.0f", (double) broker.outOfOrder(), "0");
  }

  private void say(String format, Object... values) {
    progress.accept(String.format(Locale.ROOT, format, values));
  }
}
