// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Our connector under Kafka Connect beside a relay and beside Debezium's connector, all of which
 * send the messages of one ledger to one broker, each from a process of its own.
 */
final class ConnectBenchmark {

  private final ConnectPlan plan;
  private final Consumer<String> progress;
  private final double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  private final Map<String, List<ConnectDrain.Drained>> drained = new LinkedHashMap<>();
  private final Map<String, ConnectSteady.Kept> kept = new LinkedHashMap<>();

  ConnectBenchmark(ConnectPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws IOException, SQLException, InterruptedException {
    return new ConnectBenchmark(ConnectPlan.of(wish), progress).run().report();
  }

  Findings run() throws IOException, SQLException, InterruptedException {
    try (Postgres database = Postgres.start();
        KafkaProcess broker = KafkaProcess.builder().longLived().startProcess()) {
      WaitingLedger ledger = WaitingLedger.empty(database);
      ConnectServers servers = new ConnectServers(database, broker, ledger);
      servers.fill(plan.messages());
      try (ConnectSide relay = RelaySide.start(ledger, broker.bootstrapServers());
          ConnectSide ours = OutledgerConnectorSide.start(plan, database, ledger, broker);
          ConnectSide debezium = DebeziumSide.start(plan, database, ledger, broker)) {
        List<ConnectSide> sides = new ArrayList<>(List.of(relay, ours, debezium));
        drain(servers, sides);
        for (ConnectSide side : List.of(relay, ours, debezium)) {
          steady(servers, side);
        }
        return findings(ledger, List.of(relay, ours, debezium));
      }
    }
  }

  private void drain(ConnectServers servers, List<ConnectSide> sides)
      throws SQLException, InterruptedException {
    for (int round = 0; round <= plan.rounds(); round++) {
      for (ConnectSide side : sides) {
        ConnectDrain.Drained result =
            new ConnectDrain(servers, side, plan.messages()).run(side.name() + "-" + round);
        progress.accept(
            text(
                "%s: %s %,.0f/s",
                round > 0 ? "round " + round : "warm-up", side.text(), result.perSecond()));
        if (result.records() != plan.messages()) {
          throw new IllegalStateException(
              side.text() + ": " + result.records() + " records came of " + plan.messages());
        }
        if (round > 0) {
          drained.computeIfAbsent(side.name(), ignored -> new ArrayList<>()).add(result);
        }
      }
      Collections.reverse(sides);
    }
  }

  private void steady(ConnectServers servers, ConnectSide side)
      throws SQLException, InterruptedException {
    ConnectSteady.Kept result = new ConnectSteady(servers, side, plan).run(side.name() + "-steady");
    kept.put(side.name(), result);
    progress.accept(
        text(
            "%s: idle %.2f %%, p50 %.1f ms, p99 %.1f ms",
            side.text(),
            result.idle().own(),
            result.millis().median(),
            result.millis().percentile(99)));
  }

  private Findings findings(WaitingLedger ledger, List<ConnectSide> sides) throws SQLException {
    Findings findings =
        new Findings(
            "%,d messages, %d rounds, PostgreSQL %s, load before %.1f",
            plan.messages(), plan.rounds(), ledger.text("SHOW server_version"), load);
    for (ConnectSide side : sides) {
      drains(findings, side);
    }
    for (ConnectSide side : sides) {
      arrivals(findings, side);
    }
    for (ConnectSide side : sides) {
      standing(findings, side);
    }
    return findings;
  }

  private void drains(Findings findings, ConnectSide side) {
    String name = side.name();
    String goal = name.equals("connector") ? ">= 0.8" : "";
    Sample rate = sample(name, ConnectDrain.Drained::perSecond);
    Sample relay = sample("relay", ConnectDrain.Drained::perSecond);
    if (isRate(name)) {
      findings.add(name + "PerSecond", side.text() + ", messages a second", "%,.0f", rate, "");
    } else {
      findings.title(name + "PerSecond", side.text() + ": in one transaction, which is no rate");
    }
    if (isRate(name) && isRate("relay")) {
      double ratio = rate.median() / relay.median();
      findings.add(name + "Ratio", "  times the relay's", "%.2f", ratio, goal);
    }
    cpu(findings, name, "Own", "  us of processor time a message: its process", c -> c.own());
    cpu(findings, name, "Database", "    the database", c -> c.database());
    cpu(findings, name, "Broker", "    the broker", c -> c.broker());
  }

  private boolean isRate(String name) {
    return Objects.requireNonNull(drained.get(name)).stream()
        .allMatch(ConnectDrain.Drained::isRate);
  }

  private void cpu(
      Findings findings,
      String name,
      String what,
      String text,
      ToDoubleFunction<ConnectServers.Cpu> of) {
    findings.add(
        name + "CpuMicros" + what,
        text,
        "%.1f",
        sample(name, round -> of.applyAsDouble(round.cpu())),
        "");
  }

  private void arrivals(Findings findings, ConnectSide side) {
    ConnectSteady.Kept result = of(side);
    String title = text("%s, %d a second, from commit to consumer", side.text(), plan.rate());
    findings.title(side.name() + "Steady", title);
    findings.add(side.name() + "Timed", "  messages", "%.0f", result.millis().size(), "");
    findings.add(side.name() + "P50", "  p50", "%.1f ms", result.millis().median(), "");
    findings.add(side.name() + "P99", "  p99", "%.1f ms", result.millis().percentile(99), "");
    String each = "  us of processor time a message: its process";
    findings.add(side.name() + "SteadyOwn", each, "%.0f", result.cpu().own(), "");
    findings.add(
        side.name() + "SteadyDatabase",
        "    the database, with the commits",
        "%.0f",
        result.cpu().database(),
        "");
    findings.add(side.name() + "SteadyBroker", "    the broker", "%.0f", result.cpu().broker(), "");
  }

  private void standing(Findings findings, ConnectSide side) {
    ConnectSteady.Kept result = of(side);
    String name = side.name();
    String text = side.text();
    boolean isOurs = name.equals("connector");
    findings.add(name + "Idle", text + ", idle, of a core", "%.2f %%", result.idle().own(), "");
    if (!name.equals("relay")) {
      double bare = result.without().own();
      findings.add(name + "Bare", "  its worker without a connector", "%.2f %%", bare, "");
      double task = result.idle().own() - bare;
      String goal = isOurs ? "<= 0.5 %" : "";
      findings.add(name + "IdleTask", "  more than without a connector", "%.2f %%", task, goal);
      double work = result.idle().atWork() - result.without().atWork();
      findings.add(name + "IdleWork", "    without the JVM's compiler", "%.2f %%", work, "");
    }
    servers(findings, name + "Idle", "idle", result.idle());
    servers(findings, name + "Without", "without it", result.without());
    ProcessMemory memory = result.memory();
    String goal = isOurs ? "<= 300 MiB" : "";
    findings.add(name + "Rss", "  resident", "%.0f MiB", memory.resident(), goal);
    findings.add(name + "RssMax", "  the most that was", "%.0f MiB", memory.highest(), goal);
    findings.add(name + "Heap", "  heap after a collection", "%.0f MiB", memory.heap(), "");
  }

  private static void servers(Findings findings, String name, String when, ConnectServers.Cpu cpu) {
    findings.add(name + "Database", "  the database, " + when, "%.2f %%", cpu.database(), "");
    findings.add(name + "Broker", "  the broker, " + when, "%.2f %%", cpu.broker(), "");
  }

  private ConnectSteady.Kept of(ConnectSide side) {
    return Objects.requireNonNull(kept.get(side.name()));
  }

  private Sample sample(String name, ToDoubleFunction<ConnectDrain.Drained> value) {
    return Sample.of(
        drained.getOrDefault(name, List.of()).stream().map(value::applyAsDouble).toList());
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
