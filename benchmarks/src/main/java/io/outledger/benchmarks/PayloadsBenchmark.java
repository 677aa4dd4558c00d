// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** What each module for payloads costs, beside plain JSON: bytes, time, and appends a second. */
final class PayloadsBenchmark {

  private static final int TOGETHER = 100;
  private static final int SLICES = 30;

  private final Plan plan;
  private final Consumer<String> progress;
  private final List<MeasuredPayload> payloads = MeasuredPayload.all();
  private final Map<MeasuredPayload, Map<Step, List<Double>>> measured = new LinkedHashMap<>();

  PayloadsBenchmark(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * What is measured.
   *
   * @param events that are written, and read, in a round
   * @param appends of a round, one a transaction; about as many again, a hundred together
   * @param rounds how often each takes its turn
   */
  record Plan(int events, int appends, int rounds) {

    private static final int MESSAGES = 6_000;
    private static final int ROUNDS = 7;

    /** Ten events are written and read for each that is appended. */
    static Plan of(Wish wish) {
      int messages = wish.messages(MESSAGES);
      return new Plan(10 * messages, messages, wish.rounds(ROUNDS));
    }
  }

  private enum Step {
    WRITE("write", "  write, µs", ""),
    READ("read", "  read, µs", ""),
    APPEND("append", "  append, one a transaction", "0.80"),
    APPEND_TOGETHER("together", "  append, 100 a transaction", "");

    private final String key;
    private final String label;
    private final String goal;

    Step(String key, String label, String goal) {
      this.key = key;
      this.label = label;
      this.goal = goal;
    }
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress) throws SQLException {
    return new PayloadsBenchmark(Plan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException {
    try (Postgres server = Postgres.start()) {
      String version = "";
      for (int round = 0; round <= plan.rounds(); round++) { // the first is not counted
        WaitingLedger ledger = WaitingLedger.empty(server);
        version = ledger.text("SHOW server_version");
        round(round, ledger);
      }
      return findings(version);
    }
  }

  private void round(int round, WaitingLedger ledger) throws SQLException {
    List<Writer> writers = new ArrayList<>();
    try (Connection connection = ledger.connect()) {
      connection.setAutoCommit(false);
      for (MeasuredPayload each : payloads) {
        writers.add(new Writer(each, ledger, connection));
      }
      inTurns(round, writers, Step.WRITE, plan.events(), Writer::write);
      inTurns(round, writers, Step.READ, plan.events(), Writer::read);
      inTurns(round, writers, Step.APPEND, plan.appends(), (by, count) -> by.append(count, 1));
      inTurns(
          round,
          writers,
          Step.APPEND_TOGETHER,
          TOGETHER * SLICES * Math.max(1, plan.appends() / TOGETHER / SLICES),
          (by, count) -> by.append(count, TOGETHER));
    } finally {
      writers.forEach(each -> each.outledger.close());
    }
  }

  /** One way of writing, at work. */
  private static final class Writer {

    private final MeasuredPayload payload;
    private final byte[] bytes;
    private final Outledger outledger;
    private final Connection connection;

    /** Appends on a connection in a transaction. */
    Writer(MeasuredPayload payload, WaitingLedger ledger, Connection connection) {
      this.payload = payload;
      this.bytes = payload.serializer().write(payload.event());
      this.outledger =
          Outledger.builder(ledger.dataSource())
              .withoutRetention()
              .serializer(payload.serializer())
              .events(payload::register)
              .build();
      this.connection = connection;
    }

    void write(int count) {
      for (int i = 0; i < count; i++) {
        if (payload.serializer().write(payload.event()).length != bytes.length) {
          throw new IllegalStateException(payload.label() + " is not always written alike");
        }
      }
    }

    void read(int count) {
      for (int i = 0; i < count; i++) {
        if (payload.read(bytes).getClass() != payload.event().getClass()) {
          throw new IllegalStateException(payload.label() + " is not read");
        }
      }
    }

    void append(int count, int together) throws SQLException {
      List<Object> events = Collections.nCopies(together, payload.event());
      for (int i = 0; i < count; i += together) {
        outledger.outbox().append(connection, events);
        connection.commit();
      }
    }
  }

  /** Some work with a number of events. */
  @FunctionalInterface
  private interface Work {
    void with(Writer writer, int count) throws SQLException;
  }

  /** Each way does a little at a time, so that what else the machine does meets all alike. */
  private void inTurns(int round, List<Writer> writers, Step step, int count, Work work)
      throws SQLException {
    long[] nanos = new long[writers.size()];
    int slice = Math.max(1, count / SLICES);
    for (int turn = 0; turn < SLICES; turn++) {
      for (int i = 0; i < nanos.length; i++) {
        int which = (i + turn) % nanos.length;
        long start = System.nanoTime();
        work.with(writers.get(which), slice);
        nanos[which] += System.nanoTime() - start;
      }
    }
    for (int i = 0; i < nanos.length && round > 0; i++) {
      took(round, payloads.get(i), step, nanos[i] / 1_000.0 / slice / SLICES);
    }
  }

  private void took(int round, MeasuredPayload each, Step step, double micros) {
    measured
        .computeIfAbsent(each, absent -> new EnumMap<>(Step.class))
        .computeIfAbsent(step, absent -> new ArrayList<>())
        .add(micros);
    progress.accept(
        String.format(
            Locale.ROOT, "round %d, %s, %s: %,.2f µs", round, each.label(), step, micros));
  }

  private Findings findings(String version) {
    Findings findings =
        new Findings(
            "%,d events written and read a round, %,d appended, %d rounds; PostgreSQL %s",
            plan.events(), plan.appends(), plan.rounds(), version);
    for (MeasuredPayload each : payloads) {
      String name = each.name();
      findings.title(name, each.label());
      double bytes = each.serializer().write(each.event()).length;
      findings.add(name + "_bytes", "  bytes of the event", "%,.0f", bytes, "");
      for (Step step : List.of(Step.WRITE, Step.READ)) {
        Sample micros = Sample.of(micros(each, step));
        findings.add(name + "_" + step.key, step.label, "%,.2f", micros, step.goal);
      }
      rates(findings, each, Step.APPEND);
      rates(findings, each, Step.APPEND_TOGETHER);
    }
    return findings;
  }

  /** Adds messages a second, and which part that is of plain JSON's, round by round. */
  private void rates(Findings findings, MeasuredPayload each, Step step) {
    List<Double> micros = micros(each, step);
    List<Double> json = micros(payloads.get(0), step);
    List<Double> rates = new ArrayList<>();
    List<Double> parts = new ArrayList<>();
    for (int i = 0; i < micros.size(); i++) {
      rates.add(1_000_000 / micros.get(i));
      parts.add(json.get(i) / micros.get(i));
    }
    String key = each.name() + "_" + step.key;
    findings.add(key, step.label + ", a second", "%,.0f", Sample.of(rates), "");
    if (payloads.indexOf(each) > 0) {
      findings.add(
          key + "_part", step.label + ", of plain JSON's", "%.2f", Sample.of(parts), step.goal);
    }
  }

  private List<Double> micros(MeasuredPayload each, Step step) {
    return measured.getOrDefault(each, Map.of()).getOrDefault(step, List.of());
  }
}
