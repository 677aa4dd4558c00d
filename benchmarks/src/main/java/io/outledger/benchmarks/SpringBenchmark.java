// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What the Spring Boot starter adds to an application: the same small application is started again
 * and again with and without it, in turns, each time in a JVM of its own.
 */
final class SpringBenchmark {

  private static final double MIB = 1024.0 * 1024;

  private final Plan plan;
  private final Consumer<String> progress;
  private final Map<SpringVariant, List<SpringRun.Idle>> idle = new EnumMap<>(SpringVariant.class);
  private final List<SpringRun.Appends> relayOff = new ArrayList<>();
  private final List<SpringRun.Appends> relayOn = new ArrayList<>();

  SpringBenchmark(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * What is measured.
   *
   * @param module the folder of the measured applications, compiled
   * @param rounds how often each application is started
   * @param idle how long it is left alone before its heap is looked at
   * @param warmUp how long it appends and updates before that is measured
   * @param appends how long that is measured
   */
  record Plan(Path module, int rounds, Duration idle, Duration warmUp, Duration appends) {

    private static final int ROUNDS = 5;

    static Plan of(Wish wish) {
      return new Plan(
          Path.of("benchmarks", "spring"),
          wish.rounds(ROUNDS),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5));
    }
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws IOException, SQLException, InterruptedException {
    return new SpringBenchmark(Plan.of(wish), progress).run().report();
  }

  Findings run() throws IOException, SQLException {
    try (Postgres server = Postgres.start();
        KafkaProcess broker = KafkaProcess.start()) {
      broker.createTopic("orders", 1, Map.of());
      SpringRun run = new SpringRun(plan, server, broker.bootstrapServers());
      List<SpringVariant> order = new ArrayList<>(List.of(SpringVariant.values()));
      run.idle(SpringVariant.PLAIN); // so that the first of the first round reads no cold files
      run.idle(SpringVariant.KAFKA);
      for (int round = 1; round <= plan.rounds(); round++) {
        for (SpringVariant variant : order) {
          SpringRun.Idle measured = run.idle(variant);
          idle.computeIfAbsent(variant, ignored -> new ArrayList<>()).add(measured);
          progress.accept("round %d: %s %s".formatted(round, variant, measured));
        }
        relayOff.add(run.appends(false));
        relayOn.add(run.appends(true));
        progress.accept(
            String.format(
                Locale.ROOT,
                "round %d: an append is %.3f times as fast as an update, %.3f beside a relay",
                round,
                relayOff.get(round - 1).ratio(),
                relayOn.get(round - 1).ratio()));
        Collections.rotate(order, 1);
      }
      return findings(WaitingLedger.empty(server).text("SHOW server_version"));
    }
  }

  private Findings findings(String version) {
    Findings findings =
        new Findings(
            "an application on Spring Boot 4.1, %d starts, PostgreSQL %s", plan.rounds(), version);
    for (SpringVariant variant : SpringVariant.values()) {
      startUp(findings, variant);
    }
    for (SpringVariant variant : SpringVariant.values()) {
      heap(findings, variant);
    }
    for (SpringVariant variant : SpringVariant.values()) {
      connections(findings, variant);
    }
    rates(findings, "", relayOff);
    rates(findings, "Beside", relayOn);
    return findings;
  }

  private void startUp(Findings findings, SpringVariant variant) {
    String format = "%,.0f ms";
    Sample millis = sample(variant, SpringRun.Idle::startMillis);
    findings.add(variant + "Start", "start-up, " + variant.text(), format, millis, "");
    if (variant != SpringVariant.PLAIN) {
      Sample plain = sample(SpringVariant.PLAIN, SpringRun.Idle::startMillis);
      double more = millis.median() - plain.median();
      findings.add(variant + "StartMore", "  more than without", format, more, "<= 300 ms");
    }
    findings.add(
        variant + "StartProcessor",
        "  processor time of the thread that starts it",
        format,
        sample(variant, SpringRun.Idle::startProcessorMillis),
        "");
  }

  private void heap(Findings findings, SpringVariant variant) {
    String format = "%.1f MiB";
    Sample used = sample(variant, round -> round.heapBytes() / MIB);
    findings.add(variant + "Heap", "heap, idle, " + variant.text(), format, used, "");
    if (variant != SpringVariant.PLAIN) {
      double plain = sample(SpringVariant.PLAIN, round -> round.heapBytes() / MIB).median();
      findings.add(
          variant + "HeapMore", "  more than without", format, used.median() - plain, "<= 20 MiB");
    }
  }

  private void connections(Findings findings, SpringVariant variant) {
    String name = variant.toString();
    String text = variant.text();
    findings.add(
        name + "ConnectionsKept",
        "connections kept from the pool, " + text,
        "%.0f",
        sample(variant, SpringRun.Idle::inUse),
        variant == SpringVariant.PLAIN ? "" : "1");
    findings.add(
        name + "ConnectionsOpen",
        "  open at the server, so soon after the start",
        "%.0f",
        sample(variant, SpringRun.Idle::connections),
        "");
    findings.add(
        name + "Threads", "threads, " + text, "%.0f", sample(variant, SpringRun.Idle::threads), "");
  }

  private static void rates(Findings findings, String name, List<SpringRun.Appends> runs) {
    String where = name.isEmpty() ? "" : ", beside a relay";
    rate(findings, "updates" + name, "INSERT and update" + where, runs, SpringRun.Appends::update);
    rate(findings, "appends" + name, "INSERT and append" + where, runs, SpringRun.Appends::append);
    Sample ratio = Sample.of(runs.stream().map(SpringRun.Appends::ratio).toList());
    findings.add("ratio" + name, "  ratio", "%.3f", ratio, name.isEmpty() ? ">= 1" : "");
  }

  private static void rate(
      Findings findings,
      String name,
      String text,
      List<SpringRun.Appends> runs,
      Function<SpringRun.Appends, SpringRun.Rate> way) {
    List<SpringRun.Rate> rates = runs.stream().map(way).toList();
    findings.add(
        name,
        text + ", transactions a second",
        "%,.0f",
        Sample.of(rates.stream().map(SpringRun.Rate::perSecond).toList()),
        "");
    findings.add(
        name + "Processor",
        "  processor time of the application's thread for each",
        "%.0f us",
        Sample.of(rates.stream().map(SpringRun.Rate::processorMicros).toList()),
        "");
  }

  private Sample sample(SpringVariant variant, ToDoubleFunction<SpringRun.Idle> value) {
    return Sample.of(
        idle.getOrDefault(variant, List.of()).stream().map(value::applyAsDouble).toList());
  }
}
