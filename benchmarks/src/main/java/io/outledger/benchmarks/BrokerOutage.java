// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import io.outledger.relay.context.Wakeup;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The story of one broker that is up, down and up again, and of the relay before it. */
final class BrokerOutage {

  private static final Duration PATIENCE = Duration.ofMinutes(60);
  private static final int CHUNK = 500_000;

  private final BacklogPlan plan;
  private final Consumer<String> progress;
  private final Broker broker;
  private final WaitingLedger ledger;
  private final TurnsOfWriters writers;
  private final PollClock polls = new PollClock();
  private final PollClock onlooking = new PollClock();
  private final AtomicLong failures = new AtomicLong();
  private final Findings findings;

  BrokerOutage(BacklogPlan plan, Consumer<String> progress, Postgres server, Broker broker)
      throws SQLException {
    this.plan = plan;
    this.progress = progress;
    this.broker = broker;
    this.ledger = WaitingLedger.empty(server);
    this.writers = new TurnsOfWriters(ledger, WaitingLedger.empty(server), plan);
    this.findings =
        new Findings(
            "%,d messages, %s down and up, PostgreSQL %s",
            plan.messages(),
            plan.isKafka() ? "Kafka" : "broker",
            ledger.text("SHOW server_version"));
  }

  Findings run() throws SQLException, InterruptedException {
    ledger.fill(plan.steady());
    Sample steady = steadyRates();
    Sample pages = polls.take();
    Deliveries deliveries = new Deliveries(broker.begin());
    try (HeapPeak heap = HeapPeak.watch();
        Outledger outledger = Outledger.builder(polls.watch(ledger.dataSource())).build()) {
      // Ends with the one it comes from.
      outledger.relay("backlog").to(deliveries).listener(this::note).start();
      Sample idle = whileUp(deliveries);
      whileDown(deliveries, idle);
      polls.take();
      afterwards(deliveries, steady);
      findings.add("heapMib", "heap in use after collections, MiB", "%.0f", heap.mib(), "<= 256");
    }
    compare("page", "page of the backlog", pages, polls.take());
    count();
    return findings;
  }

  private void note(RelayEvent event) {
    if (event instanceof RelayEvent.OutageBegan) {
      failures.incrementAndGet();
    }
  }

  /** Counts once: to count millions of rows again and again would take the drain's time. */
  private long rows() throws SQLException {
    return ledger.number("SELECT count(*) FROM outledger_message");
  }

  /** The first is not counted: the JVM compiles then. */
  private Sample steadyRates() throws SQLException, InterruptedException {
    List<Double> rates = new ArrayList<>();
    for (int round = 0; round <= plan.rounds(); round++) {
      Deliveries deliveries = new Deliveries(broker.begin());
      try (Outledger outledger = Outledger.builder(polls.watch(ledger.dataSource())).build()) {
        outledger.relay("steady-" + round).to(deliveries).start();
        awaitAll(deliveries, plan.steady());
      }
      if (round > 0) {
        rates.add(plan.steady() / deliveries.secondsFromFirstToLast());
        say("steady rate: %,.0f messages a second", rates.get(round - 1));
      }
    }
    return Sample.of(rates);
  }

  private static void awaitAll(Deliveries deliveries, long rows) {
    Await.until("all is delivered", PATIENCE, () -> deliveries.delivered() >= rows);
  }

  /** Returns what a poll takes that finds nothing. */
  private Sample whileUp(Deliveries deliveries) throws SQLException, InterruptedException {
    awaitAll(deliveries, plan.steady());
    Sample idle = onlooker("idle");
    writers.takeTurns("up", findings);
    awaitAll(deliveries, rows());
    return idle;
  }

  /** What the polls of one take who has published everything, or wants nothing of what waits. */
  private Sample onlooker(String name) throws InterruptedException {
    try (Outledger outledger = Outledger.builder(onlooking.watch(ledger.dataSource())).build()) {
      RunningRelay relay =
          outledger.relay(name).from(Start.NOW).to(AnswersAtOnce.PUBLISHED).start();
      Await.until("it polls", PATIENCE, () -> relay.state() == StepReport.State.OWNER);
      new Wakeup().await(plan.turn());
      return onlooking.take();
    }
  }

  private void whileDown(Deliveries deliveries, Sample idle)
      throws SQLException, InterruptedException {
    broker.switchTo(false);
    long before = deliveries.delivered();
    long downSince = System.nanoTime();
    long scans = ledger.indexScans();
    fillUp();
    writers.takeTurns("down", findings);
    if (deliveries.delivered() > before) {
      throw new IllegalStateException("the broker is not down: something was delivered");
    }
    double minutes = (System.nanoTime() - downSince) / 60e9;
    findings.add("minutesDown", "down, minutes", "%.1f", minutes, "");
    findings.add(
        "attempts", "messages that failed while down", "%,.0f", (double) deliveries.failed(), "");
    findings.add(
        "probesPerMinute", "attempts while down, a minute", "%.1f", failures.get() / minutes, "");
    findings.add(
        "pollsPerMinute",
        "looks into the ledger while down, a minute",
        "%.1f",
        (ledger.indexScans() - scans) / minutes,
        "");
    writers.compare(findings);
    compare("poll", "poll that finds nothing", idle, onlooker("beside"));
  }

  private void compare(String name, String what, Sample empty, Sample backlog) {
    double before = empty.percentile(99);
    double beside = backlog.percentile(99);
    findings.add(name + "P50", what + ", median ms without", "%.2f", empty.median(), "");
    findings.add(name + "P50Backlog", "  with the backlog", "%.2f", backlog.median(), "");
    findings.add(name + "P99", what + ", p99 ms without", "%.2f", before, "");
    findings.add(name + "P99Backlog", "  with the backlog", "%.2f", beside, "");
    findings.add(name + "Ratio", "  of the other", "%.2f", beside / before, "<= 2.00");
  }

  private void fillUp() throws SQLException {
    for (int filled = plan.steady(); filled < plan.messages(); filled += CHUNK) {
      say("%,d messages wait", filled);
      ledger.fill(Math.min(CHUNK, plan.messages() - filled));
    }
    say("%,d messages wait", plan.messages());
  }

  private void afterwards(Deliveries deliveries, Sample steady) throws SQLException {
    long before = deliveries.delivered();
    long rows = rows();
    deliveries.mark();
    broker.switchTo(true);
    long up = System.nanoTime();
    awaitAll(deliveries, (before + rows) / 2);
    long half = deliveries.delivered();
    long halfAt = System.nanoTime();
    awaitAll(deliveries, rows);
    double warm = (deliveries.delivered() - half) * 1e9 / (deliveries.lastAt() - halfAt);
    double drained = (deliveries.delivered() - before) / deliveries.secondsFromFirstToLast();
    findings.add(
        "secondsToFirst",
        "broker back to first message, seconds",
        "%.1f",
        Math.max(0, deliveries.firstAt() - up) / 1e9, // some start to answer before they say so
        "<= 5");
    findings.add("steadyPerSecond", "steady rate, messages a second", "%,.0f", steady, "");
    findings.add("drainPerSecond", "drain rate, messages a second", "%,.0f", drained, "");
    findings.add("drainRatio", "  of steady", "%.2f", drained / steady.median(), ">= 0.80");
    // A broker that has just begun is slow: its JVM has compiled nothing yet.
    findings.add("warmRatio", "  its second half, of steady", "%.2f", warm / steady.median(), "");
  }

  private void count() throws SQLException, InterruptedException {
    Broker.Came came = broker.came();
    double missing = rows() - came.inOrder();
    findings.add("undelivered", "not delivered, or after a later one", "%,.0f", missing, "0");
    findings.add("again", "delivered again", "%,.0f", (double) came.others(), "");
  }

  private void say(String format, Object... values) {
    progress.accept(String.format(Locale.ROOT, format, values));
  }
}
