// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.Consumer;

/** What a message costs from its append to its removal, over a month in fast motion. */
final class LifetimeBenchmark {

  private final LifetimePlan plan;
  private final Consumer<String> progress;

  LifetimeBenchmark(LifetimePlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws SQLException, InterruptedException {
    return new LifetimeBenchmark(LifetimePlan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException, InterruptedException {
    Findings findings =
        new Findings(
            "%,d days of %,d messages, kept for %d days",
            plan.days(), plan.perDay(), plan.keptDays());
    for (Shelf shelf : Shelf.values()) {
      // Vacuum comes when it is called, once a day, and never twice.
      try (Postgres server =
          Postgres.builder().setting("autovacuum", "off").setting("max_wal_size", "4GB").start()) {
        Lifetime.Lived lived = new Lifetime(server, shelf, plan).live();
        progress.accept(
            String.format(
                Locale.ROOT,
                "%s: %,.0f bytes of log a message",
                shelf.label(),
                wal(lived) / plan.messages()));
        add(findings, shelf, lived);
      }
    }
    return findings;
  }

  private static double wal(Lifetime.Lived lived) {
    return lived.append().walBytes() + lived.relay().walBytes() + lived.remove().walBytes();
  }

  private static double data(Lifetime.Lived lived) {
    return lived.append().dataBytes() + lived.relay().dataBytes() + lived.remove().dataBytes();
  }

  private void add(Findings findings, Shelf shelf, Lifetime.Lived lived) {
    String name = shelf.name().toLowerCase(Locale.ROOT);
    double messages = plan.messages();
    int gone = Math.max(1, plan.days() - plan.keptDays());
    findings.add(
        name + "WalBytes",
        shelf.label() + ": log (WAL), bytes a message",
        "%,.0f",
        wal(lived) / messages,
        "");
    bytes(findings, name + "AppendWal", "  of that its append", lived.append(), messages);
    bytes(findings, name + "RelayWal", "  its publishing", lived.relay(), messages);
    bytes(findings, name + "RemoveWal", "  its removal and vacuum", lived.remove(), messages);
    findings.add(
        name + "DataBytes",
        "  written to tables and indexes, bytes a message",
        "%,.0f",
        data(lived) / messages,
        "");
    findings.add(
        name + "AppendSeconds", "  seconds a day, appending", "%.2f", seconds(lived.append()), "");
    findings.add(
        name + "RelaySeconds", "  seconds a day, publishing", "%.2f", seconds(lived.relay()), "");
    findings.add(
        name + "RemoveSeconds",
        "  seconds a day, removing and vacuum",
        "%.2f",
        lived.remove().seconds() / gone,
        "");
    left(findings, name, lived.left());
  }

  private double seconds(Lifetime.Costs costs) {
    return costs.seconds() / plan.days();
  }

  private static void bytes(
      Findings findings, String name, String what, Lifetime.Costs costs, double messages) {
    findings.add(name, what, "%,.0f", costs.walBytes() / messages, "");
  }

  private static void left(Findings findings, String name, Lifetime.Left left) {
    double rows = Math.max(1, left.rows());
    findings.add(name + "Rows", "  rows at the end", "%,.0f", (double) left.rows(), "");
    findings.add(name + "Dead", "  dead rows at the end", "%,.0f", (double) left.dead(), "");
    findings.add(
        name + "TableBytes", "  table, bytes a row left", "%,.0f", left.tableBytes() / rows, "");
    findings.add(
        name + "IndexBytes", "  index, bytes a row left", "%,.0f", left.indexBytes() / rows, "");
  }
}
