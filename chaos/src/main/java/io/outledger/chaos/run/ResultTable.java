// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.checker.Finding;
import io.outledger.chaos.checker.Report;
import io.outledger.chaos.checker.Verdict;
import io.outledger.chaos.fault.Fault;
import io.outledger.chaos.fault.Incident;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What came of a run, as a small table for people.
 *
 * @param outcome what came of it
 * @param notRun what could not be done, and why
 */
record ResultTable(Outcome outcome, Map<Fault, String> notRun) {

  private static final int FINDINGS_SHOWN_MAX = 20;

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("  fault                   times   in flight: median       most");
    outcome.byFault().forEach((fault, incidents) -> lines.add(line(fault, incidents)));
    notRun.forEach((fault, why) -> lines.add("  " + fault.word() + " was not run: " + why));
    lines.add("");
    counts(lines);
    lines.add("");
    outcome.liveness().waits().forEach(wait -> lines.add(line(wait)));
    outcome.report().findings().stream()
        .limit(FINDINGS_SHOWN_MAX)
        .map(Finding::toString)
        .forEach(finding -> lines.add("  BROKEN  " + finding));
    outcome.brokenOff().ifPresent(why -> lines.add("  BROKEN OFF  " + why));
    lines.add("");
    return lines;
  }

  private void counts(List<String> lines) {
    Report report = outcome.report();
    Report.Counts counts = report.counts();
    lines.add(
        ("  %,d messages committed, %,d published, %,d rolled back; %,d effects, %,d raced,"
                + " moved %,d times")
            .formatted(
                counts.committed(),
                counts.published(),
                counts.rolledBack(),
                counts.effects(),
                outcome.measured().races(),
                outcome.measured().moves()));
    lines.add(
        "  %,d requests of the operator, %,d of them asked twice, %,d replays · wrong audit rows %d"
            .formatted(
                outcome.measured().asked().requests(),
                outcome.measured().asked().again(),
                outcome.measured().asked().replays(),
                report.count(Verdict.AUDIT)));
    lines.add(
        "  lost %d · ghosts %d · reordered %d · stale %d · wrong effects %d · stuck %d"
            .formatted(
                report.count(Verdict.LOST),
                report.count(Verdict.GHOST),
                report.count(Verdict.REORDERED),
                report.count(Verdict.STALE),
                report.count(Verdict.EFFECT),
                report.count(Verdict.STUCK)));
    lines.add(
        "  duplicates %,d of at most %,d, left at hand-overs %d · overtaken %d · broker lost %d"
            .formatted(
                counts.duplicates(),
                counts.duplicatesMax(),
                outcome.measured().leftAtHandover(),
                counts.overtaken(),
                report.count(Verdict.BROKER_LOST)));
  }

  private static String line(Fault fault, List<Incident> incidents) {
    long[] sorted = incidents.stream().mapToLong(Incident::inFlight).sorted().toArray();
    return "  %-22s %6d %20d %10d"
        .formatted(
            fault.word(), sorted.length, sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }

  private static String line(Liveness.Wait wait) {
    return "  %-45s median %6.2f s, most %6.2f s, %d of %d within the goal of %.0f s"
        .formatted(
            wait.name(),
            wait.medianMs() / 1e3,
            wait.maxMs() / 1e3,
            wait.withinGoal(),
            wait.count(),
            wait.goalMs() / 1e3);
  }
}
