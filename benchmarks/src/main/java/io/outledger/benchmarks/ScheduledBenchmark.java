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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What scheduled messages cost: scheduled, moved and cancelled, beside a plain append; and what
 * those that wait for later cost all of it.
 */
final class ScheduledBenchmark {

  private static final Delivery NOW = Delivery.after(Duration.ZERO);
  private static final Delivery LATER = Delivery.after(Duration.ofDays(1));
  private static final int MANY_FOR_EACH = 10;
  private static final int LATE_ONES = 100;
  private static final String IS_MOVED =
      """
      SELECT coalesce((SELECT s.due_at FROM outledger_scheduled s ORDER BY s.due_at LIMIT 1)
                      > clock_timestamp(), true)\
      """;

  private final Plan plan;
  private final Consumer<String> progress;
  private final Map<Turn, List<Double>> perSecond = new HashMap<>();
  private Sample late = Sample.of(List.of(0));

  ScheduledBenchmark(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * What is measured.
   *
   * @param messages of a step that takes one a transaction; ten times as many are relayed, or moved
   * @param rounds how often each step takes its turn
   * @param waiting how many wait for later beside half of the turns
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
    DRAIN("relay what was appended"),
    MOVE("move what is due, beside a relay");

    private final String label;

    Step(String label) {
      this.label = label;
    }
  }

  /** What waits beside it all. */
  private enum Beside {
    NOTHING("alone", ""),
    MANY("many", ", while many wait");

    private final String name;
    private final String label;

    Beside(String name, String label) {
      this.name = name;
      this.label = label;
    }
  }

  private record Turn(Step step, Beside beside) {

    String name() {
      return step.name().toLowerCase(Locale.ROOT) + "_" + beside.name;
    }

    String label() {
      return step.label + beside.label;
    }
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress) throws SQLException {
    return new ScheduledBenchmark(Plan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException {
    try (Postgres server = Postgres.start()) {
      String version = "";
      for (int round = 0; round <= plan.rounds(); round++) { // the first is not counted
        for (Beside beside : Beside.values()) {
          WaitingLedger ledger = WaitingLedger.empty(server);
          version = ledger.text("SHOW server_version");
          if (beside == Beside.MANY) {
            ledger.schedule(plan.waiting());
          }
          turn(ledger, round, beside);
        }
      }
      return findings(version);
    }
  }

  /** What waits for later must not slow anything down, or delay what is due. */
  private void turn(WaitingLedger ledger, int round, Beside beside) throws SQLException {
    try (SmallPool pool = new SmallPool(ledger.jdbcUrl());
        Outledger outledger = Outledger.builder(pool).withoutRetention().build();
        Connection connection = ledger.connect()) {
      connection.setAutoCommit(false);
      JdbcOutbox outbox = outledger.outbox();
      List<UUID> ids = new ArrayList<>();
      Turns turns = new Turns(round, beside, connection);
      turns.measure(Step.APPEND, each -> outbox.append(connection, message(each)));
      turns.measure(
          Step.SCHEDULE, each -> ids.add(outbox.append(connection, message(each), LATER)));
      turns.measure(Step.CANCEL, each -> outbox.cancel(connection, ids.get(each)));
      int many = MANY_FOR_EACH * plan.messages();
      for (int i = plan.messages(); i < many; i++) {
        outbox.append(connection, message(i));
      }
      connection.commit();
      turns.took(Step.DRAIN, many, relayed(outledger, () -> isRead(outledger)));
      for (int i = 0; i < many; i++) {
        outbox.append(connection, message(i), NOW);
      }
      connection.commit();
      turns.took(Step.MOVE, many, relayed(outledger, () -> isMoved(connection)));
      if (beside == Beside.MANY && round == plan.rounds()) {
        late = lateness(outledger, outbox, connection);
      }
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

  private static long relayed(Outledger outledger, Await.Condition isDone) {
    long start = System.nanoTime();
    try (RunningRelay relay = outledger.relay("measured").to(AnswersAtOnce.PUBLISHED).start()) {
      Await.until(
          () -> "everything is done; the relay is " + relay.state(), Duration.ofMinutes(5), isDone);
      return System.nanoTime() - start;
    }
  }

  private static boolean isRead(Outledger outledger) {
    return outledger.admin().subscriptions().stream()
        .anyMatch(each -> each.lag().behind() == 0 && each.lag().openRanges() == 0);
  }

  /**
   * One step along an index. To count what waits, or to look for one that is due without an order,
   * which a planner does row by row, would take longer than to move it.
   */
  private static boolean isMoved(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(IS_MOVED)) {
      row.next();
      boolean isMoved = row.getBoolean(1);
      connection.commit();
      return isMoved;
    }
  }

  /** The steps of one turn. */
  private final class Turns {

    private final int round;
    private final Beside beside;
    private final Connection connection;

    Turns(int round, Beside beside, Connection connection) {
      this.round = round;
      this.beside = beside;
      this.connection = connection;
    }

    void measure(Step step, Consumer<Integer> work) throws SQLException {
      long start = System.nanoTime();
      for (int i = 0; i < plan.messages(); i++) {
        work.accept(i);
        connection.commit();
      }
      took(step, plan.messages(), System.nanoTime() - start);
    }

    void took(Step step, int messages, long nanos) {
      if (round > 0) {
        Turn turn = new Turn(step, beside);
        double rate = messages * 1e9 / nanos;
        perSecond.computeIfAbsent(turn, absent -> new ArrayList<>()).add(rate);
        progress.accept(
            String.format(Locale.ROOT, "round %d, %s: %,.0f/s", round, turn.label(), rate));
      }
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
            "%,d messages a turn (%,d relayed or moved), %d rounds; many: %,d; PostgreSQL %s",
            plan.messages(),
            MANY_FOR_EACH * plan.messages(),
            plan.rounds(),
            plan.waiting(),
            version);
    for (Step step : Step.values()) {
      for (Beside beside : Beside.values()) {
        Turn turn = new Turn(step, beside);
        findings.add(
            turn.name(),
            turn.label() + ", a second",
            "%,.0f",
            sample(turn),
            step == Step.MOVE ? "20,000" : "");
      }
    }
    findings.add("late", "late, while many wait, ms", "%,.1f", late, "1,000");
    for (Step step : Step.values()) {
      double ratio = median(step, Beside.MANY) / median(step, Beside.NOTHING);
      findings.add(
          step.name().toLowerCase(Locale.ROOT) + "_ratio",
          step.label + ": beside many, of alone",
          "%.2f",
          ratio,
          "");
    }
    double ratio = median(Step.SCHEDULE, Beside.NOTHING) / median(Step.APPEND, Beside.NOTHING);
    return findings.add("ratio", "schedule, of an append", "%.2f", ratio, "0.90");
  }

  private double median(Step step, Beside beside) {
    return sample(new Turn(step, beside)).median();
  }

  private Sample sample(Turn turn) {
    return Sample.of(perSecond.getOrDefault(turn, List.of()));
  }
}
