// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.chaos.checker.Report;
import io.outledger.chaos.checker.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A result as a small table for people. */
record ResultTable(Result result) {

  private static final int FINDINGS_SHOWN_MAX = 20;

  /** Returns its lines. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("Counted again, from the databases and from the broker alone");
    lines.add("");
    lines.add(line("", "order.placed", "stock.reserved"));
    row(lines, "committed in the database", r -> number(r.counts().committed()));
    row(lines, "arrived in the broker", r -> number(r.counts().published()));
    row(lines, "lost", r -> number(r.count(Verdict.LOST)));
    row(lines, "published though rolled back", r -> number(r.count(Verdict.GHOST)));
    row(lines, "out of order within their key", r -> number(r.count(Verdict.REORDERED)));
    row(lines, "published again after a failure", ResultTable::repeated);
    lines.add(line("took effect exactly once behind the inbox", once(), ""));
    lines.add("");
    lines.addAll(sentences());
    result.reports().all().stream()
        .flatMap(report -> report.findings().stream())
        .limit(FINDINGS_SHOWN_MAX)
        .map(finding -> (finding.isRepetition() ? "  REPEATED  " : "  BROKEN  ") + finding)
        .forEach(lines::add);
    lines.add("");
    lines.add(verdict());
    return lines;
  }

  private List<String> sentences() {
    Result.Reports reports = result.reports();
    Report.Counts requests = reports.requests().counts();
    return List.of(
        "  %s of %,d answered; a customer had to ask again %s."
            .formatted(
                Words.count(result.asked().answered(), "order"),
                result.options().orders(),
                Words.count(result.asked().again(), "time")),
        "  %s made, and %,d refused and rolled back, event and all."
            .formatted(Words.count(requests.committed(), "order"), requests.rolledBack()),
        "  %s ordered, and %,d reserved."
            .formatted(Words.count(reports.units().ordered(), "unit"), reports.units().reserved()),
        "  %s killed with work in flight."
            .formatted(Words.count(result.kills().size(), "process")));
  }

  private String verdict() {
    if (result.held()) {
      return "Every promise held, in %.0f seconds. The same again: ./outledger demo %s"
          .formatted(result.ms() / 1e3, result.options().line());
    }
    if (result.kills().size() < result.options().kills()) {
      return "NOT PROVEN: not every kill found its process at work.";
    }
    if (result.onlyRepeated()) {
      return "NOT ACCOUNTED FOR: nothing was lost, invented or out of order, and each message took"
          + " effect once, but more was published again than was seen in flight.";
    }
    return "A PROMISE WAS BROKEN: see above.";
  }

  private String once() {
    Report report = result.reports().orders();
    return number(report.counts().published() - report.count(Verdict.EFFECT));
  }

  private static String repeated(Report report) {
    return "%,d of at most %,d"
        .formatted(report.counts().duplicates(), report.counts().duplicatesMax());
  }

  private void row(List<String> lines, String what, Function<Report, String> figure) {
    lines.add(
        line(
            what, figure.apply(result.reports().orders()), figure.apply(result.reports().stock())));
  }

  private static String line(String what, String orders, String stock) {
    return "  %-42s %20s %20s".formatted(what, orders, stock).stripTrailing();
  }

  private static String number(long number) {
    return "%,d".formatted(number);
  }
}
