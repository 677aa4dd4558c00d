// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.relay.DrainReport;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A relay and a writer on each database, beside an outbox that is written by hand on the same
 * server, in turns.
 */
final class DatabasesBenchmark {

  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final int A_TRANSACTION = 1_000;

  /** Those whose relay is to be so much faster; the others are measured for comparison. */
  private static final Set<String> COMPARED = Set.of("mariadb", "mysql", "h2");

  private static final int FEW = 1;
  private static final int MANY = 10;

  private final Plan plan;
  private final Consumer<String> progress;
  private final RandomMessages random = new RandomMessages();

  DatabasesBenchmark(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * What is measured.
   *
   * @param databases their names
   * @param messages that wait in each of the two outboxes
   * @param rounds how often each takes its turn
   * @param turn how long a writer writes each time
   */
  record Plan(List<String> databases, int messages, int rounds, Duration turn) {

    private static final int MESSAGES = 50_000;
    private static final int ROUNDS = 5;

    static Plan of(Wish wish) {
      List<String> names =
          wish.has("databases")
              ? wish.names("databases")
              : List.copyOf(MeasuredDatabase.ALL.keySet());
      return new Plan(names, wish.messages(MESSAGES), wish.rounds(ROUNDS), Duration.ofSeconds(2));
    }
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws SQLException, InterruptedException {
    return new DatabasesBenchmark(Plan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException, InterruptedException {
    Findings findings =
        new Findings(
            "%,d messages of %d bytes, %d rounds",
            plan.messages(), WaitingLedger.PAYLOAD_BYTES, plan.rounds());
    for (String name : plan.databases()) {
      try (MeasuredDatabase database =
          Objects.requireNonNull(MeasuredDatabase.ALL.get(name), name).get()) {
        Schema.of(database.dataSource()).apply(database.dataSource());
        try (Outledger outledger =
            Outledger.builder(database.dataSource()).withoutRetention().build()) {
          HandWrittenOutbox byHand = new HandWrittenOutbox(database);
          fill(database, outledger);
          findings.title(name, database.title());
          drains(database, outledger, byHand, findings);
          writes(new DatabaseWriters(database, outledger, plan.turn()), name, findings);
        }
      }
    }
    return findings;
  }

  /** The same messages in both. */
  private void fill(MeasuredDatabase database, Outledger outledger) throws SQLException {
    say("%s: %,d messages are inserted twice", database.name(), plan.messages());
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      for (int from = 0; from < plan.messages(); from += A_TRANSACTION) {
        List<byte[]> payloads = random.payloads(Math.min(A_TRANSACTION, plan.messages() - from));
        HandWrittenOutbox.insert(connection, payloads);
        outledger.outbox().append(connection, RandomMessages.of(payloads));
        connection.commit();
      }
    }
  }

  /** The first turn of each is not counted: it is when the JVM compiles. */
  private void drains(
      MeasuredDatabase database, Outledger outledger, HandWrittenOutbox byHand, Findings findings)
      throws SQLException, InterruptedException {
    List<Double> ours = new ArrayList<>();
    List<Double> everywhere = new ArrayList<>();
    List<Double> batched = new ArrayList<>();
    for (int round = 0; round <= plan.rounds(); round++) {
      double our = drain(outledger, "drain-" + round);
      byHand.reset();
      double hand = byHand.drain(HandWrittenOutbox.Way.EVERYWHERE);
      byHand.reset();
      double batch = byHand.drain(HandWrittenOutbox.Way.BATCHED);
      say(
          "%s: relay %,.0f/s, written by hand %,.0f/s, batched %,.0f/s",
          database.name(), our, hand, batch);
      if (round > 0) {
        ours.add(our);
        everywhere.add(hand);
        batched.add(batch);
      }
    }
    String name = database.name();
    boolean isCompared = COMPARED.contains(name);
    Sample our = Sample.of(ours);
    findings.add(name + "Drain", "  drain, messages a second", "%,.0f", our, "");
    double ofHand = our.median() / Sample.of(everywhere).median();
    double ofBatched = our.median() / Sample.of(batched).median();
    findings.add(name + "ByHand", "    written by hand", "%,.0f", Sample.of(everywhere), "");
    findings.add(name + "OfByHand", "    times as fast", "%.1f", ofHand, isCompared ? ">= 10" : "");
    findings.add(name + "Batched", "    by hand, batched", "%,.0f", Sample.of(batched), "");
    findings.add(
        name + "OfBatched", "    times as fast", "%.1f", ofBatched, isCompared ? ">= 3" : "");
  }

  private double drain(Outledger outledger, String subscription) throws InterruptedException {
    try (Relay relay = outledger.relay(subscription).to(AnswersAtOnce.PUBLISHED).build()) {
      long start = System.nanoTime();
      DrainReport report = relay.drain(PATIENCE);
      double seconds = (System.nanoTime() - start) / 1e9;
      // It also gives its lease back where the destination is away.
      if (report.state() != StepReport.State.RELEASED || report.published() < plan.messages()) {
        throw new IllegalStateException("the relay did not finish: " + report);
      }
      return report.published() / seconds;
    }
  }

  private void writes(DatabaseWriters writers, String name, Findings findings)
      throws InterruptedException {
    for (int threads : List.of(1, 4)) {
      for (int messages : List.of(FEW, MANY)) {
        List<Double> appends = new ArrayList<>();
        List<Double> inserts = new ArrayList<>();
        for (int round = 0; round <= plan.rounds(); round++) {
          double append = writers.appends(threads, messages);
          double insert = writers.inserts(threads, messages);
          if (round > 0) {
            appends.add(append);
            inserts.add(insert);
          }
        }
        Sample append = Sample.of(appends);
        double ratio = append.median() / Sample.of(inserts).median();
        String who = "%d writer%s, %d a transaction".formatted(threads, s(threads), messages);
        say("%s: %s: %.2f of one more plain INSERT", name, who, ratio);
        String goal = "sqlite".equals(name) ? ">= 0.91" : ">= 0.90";
        String key = "%sWrite%dx%d".formatted(name, threads, messages);
        findings.add(key, "  " + who + ", commits a second", "%,.0f", append, "");
        findings.add(key + "Ratio", "    of one more plain INSERT", "%.2f", ratio, goal);
      }
    }
  }

  private static String s(int count) {
    return count == 1 ? "" : "s";
  }

  private void say(String format, Object... values) {
    progress.accept(String.format(Locale.ROOT, format, values));
  }
}
