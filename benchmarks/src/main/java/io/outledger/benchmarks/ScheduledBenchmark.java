// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** What scheduled messages cost: scheduled, moved and cancelled, beside a plain append. */
final class ScheduledBenchmark {

  private static final Delivery NOW = Delivery.after(Duration.ZERO);
  private static final Delivery LATER = Delivery.after(Duration.ofDays(1));
  private static final int MOVED_FOR_EACH = 10;
  private static final int LATE_ONES = 100;
  private static final String IS_MOVED =
      """
      SELECT NOT EXISTS
        (SELECT FROM outledger_scheduled WHERE due_at <= (SELECT clock_timestamp()))\
      """;

  private final Plan plan;
  private final Consumer<String> progress;
  private final Map<Step, List<Double>> perSecond = new EnumMap<>(Step.class);
  private Sample late = Sample.of(List.of(0));

  ScheduledBenchmark(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * What is measured.
   *
   * @param messages of a turn that takes one a transaction; ten times as many are moved
   * @param rounds how often each step takes its turn
   * @param waiting how many wait for later in the turn after these
   */
  record Plan(int messages, int rounds, int waiting) {

    private static final int MESSAGES = 3_000;
    private static final int ROUNDS = 5;
    private static final int WAITING = 1_000_000;

    static Plan of(Wish wish) {
      return new Plan(wish.messages(MESSAGES), wish.rounds(ROUNDS), WAITING);
    }
  }

  private enum Step {
    APPEND("append, one a transaction"),
    SCHEDULE("schedule, one a transaction"),
    CANCEL("cancel, one a transaction"),
    MOVE("move what is due, beside a relay"),
    CROWDED("schedule, while many wait"),
    CROWDED_MOVE("move what is due, while many wait");

    private final String label;

    Step(String label) {
      this.label = label;
    }
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress) throws SQLException {
    return new ScheduledBenchmark(Plan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException {
    try (Postgres server = Postgres.start()) {
      String version = "";
      for (int round = 0; round <= plan.rounds(); round++) { // the first is not counted
        WaitingLedger ledger = WaitingLedger.empty(server);
        version = ledger.text("SHOW server_version");
        turn(ledger, round);
      }
      crowdedTurn(WaitingLedger.empty(server));
      return findings(version);
    }
  }

  private void turn(WaitingLedger ledger, int round) throws SQLException {
    try (SmallPool pool = new SmallPool(ledger.jdbcUrl());
        Outledger outledger = Outledger.builder(pool).withoutRetention().build();
        Connection connection = ledger.connect()) {
      connection.setAutoCommit(false);
      JdbcOutbox outbox = outledger.outbox();
      List<UUID> ids = new ArrayList<>();
      measure(round, Step.APPEND, connection, each -> outbox.append(connection, message(each)));
      measure(
          round,
          Step.SCHEDULE,
          connection,
          each -> ids.add(outbox.append(connection, message(each), LATER)));
      measure(round, Step.CANCEL, connection, each -> outbox.cancel(connection, ids.get(each)));
      int due = MOVED_FOR_EACH * plan.messages();
      for (int i = 0; i < due; i++) {
        outbox.append(connection, message(i), NOW);
      }
      connection.commit();
      took(round, Step.MOVE, due, moved(outledger, connection));
    }
  }

  /** What waits for later must not slow down what is scheduled, or delay what is due. */
  private void crowdedTurn(WaitingLedger ledger) throws SQLException {
    ledger.schedule(plan.waiting());
    try (SmallPool pool = new SmallPool(ledger.jdbcUrl());
        Outledger outledger = Outledger.builder(pool).withoutRetention().build();
        Connection connection = ledger.connect()) {
      connection.setAutoCommit(false);
      JdbcOutbox outbox = outledger.outbox();
      measure(1, Step.CROWDED, connection, each -> outbox.append(connection, message(each), LATER));
      int due = MOVED_FOR_EACH * plan.messages();
      for (int i = 0; i < due; i++) {
        outbox.append(connection, message(i), NOW);
      }
      connection.commit();
      took(1, Step.CROWDED_MOVE, due, moved(outledger, connection));
      late = lateness(outledger, outbox, connection);
    }
  }

  /** Returns how many milliseconds after their time messages arrive that are due one by one. */
  private static Sample lateness(Outledger outledger, JdbcOutbox outbox, Connection connection)
      throws SQLException {
    ArrivalTimes arrivals = new ArrivalTimes();
    List<SteadyWriter.Commit> due = new ArrayList<>();
    try (RunningRelay relay = outledger.relay("measured").to(arrivals.publisher()).start()) {
      for (int i = 0; i < LATE_ONES; i++) {
        Duration delay = Duration.ofMillis(100 + 37L * i);
        long at = SharedClock.micros() + delay.toNanos() / 1_000;
        due.add(
            new SteadyWriter.Commit(
                outbox.append(connection, message(i), Delivery.after(delay)), at));
        connection.commit();
      }
      Await.until(
          () -> "those that are due arrive; the relay is " + relay.state(),
          Duration.ofMinutes(1),
          () -> arrivals.have(due));
    }
    return arrivals.millisSince(due);
  }

  private static long moved(Outledger outledger, Connection connection) {
    long start = System.nanoTime();
    try (RunningRelay relay = outledger.relay("measured").to(AnswersAtOnce.PUBLISHED).start()) {
      Await.until(
          () -> "everything is moved; the relay is " + relay.state(),
          Duration.ofMinutes(5),
          () -> isMoved(connection));
      return System.nanoTime() - start;
    }
  }

  /** A step in an index: to count what waits would take longer than to move it. */
  private static boolean isMoved(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(IS_MOVED)) {
      row.next();
      boolean isMoved = row.getBoolean(1);
      connection.commit();
      return isMoved;
    }
  }

  private void measure(int round, Step step, Connection connection, Consumer<Integer> work)
      throws SQLException {
    long start = System.nanoTime();
    for (int i = 0; i < plan.messages(); i++) {
      work.accept(i);
      connection.commit();
    }
    took(round, step, plan.messages(), System.nanoTime() - start);
  }

  private void took(int round, Step step, int messages, long nanos) {
    if (round > 0) {
      double rate = messages * 1e9 / nanos;
      perSecond.computeIfAbsent(step, absent -> new ArrayList<>()).add(rate);
      progress.accept(String.format(Locale.ROOT, "round %d, %s: %,.0f/s", round, step.label, rate));
    }
  }

  private static Message message(int number) {
    return Message.to("orders", "order.placed")
        .key(WaitingLedger.key(number))
        .payload(new byte[WaitingLedger.PAYLOAD_BYTES])
        .build();
  }

  private Findings findings(String version) {
    Findings findings =
        new Findings(
            "%,d messages a turn (%,d moved), %d rounds; many: %,d; PostgreSQL %s",
            plan.messages(),
            MOVED_FOR_EACH * plan.messages(),
            plan.rounds(),
            plan.waiting(),
            version);
    for (Step step : Step.values()) {
      findings.add(
          step.name().toLowerCase(Locale.ROOT),
          step.label + ", a second",
          "%,.0f",
          sample(step),
          step == Step.MOVE || step == Step.CROWDED_MOVE ? "20,000" : "");
    }
    findings.add("late", "late, while many wait, ms", "%,.1f", late, "1,000");
    double ratio = sample(Step.SCHEDULE).median() / sample(Step.APPEND).median();
    return findings.add("ratio", "schedule, of an append", "%.2f", ratio, "0.90");
  }

  private Sample sample(Step step) {
    return Sample.of(perSecond.getOrDefault(step, List.of()));
  }
}
