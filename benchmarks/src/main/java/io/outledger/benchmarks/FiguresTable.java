// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes figures as a small table, for people: what was measured, and its goal. */
final class FiguresTable {

  private final List<Line> lines = new ArrayList<>();

  private FiguresTable() {}

  static String of(Figures figures) {
    FiguresTable table = new FiguresTable();
    table.speed(figures);
    table.latency(figures.latency());
    table.cost(figures);
    return table.text();
  }

  private record Line(String what, String measured, String target) {}

  private void speed(Figures figures) {
    add(
        text(
            "%,d messages, %d rounds, PostgreSQL %s, fsync %s",
            figures.plan().messages(),
            figures.rounds().size(),
            figures.server().version(),
            figures.server().fsync()),
        "measured",
        "goal");
    add("bare paged read, messages a second", spread("%,.0f", figures.raw()), "");
    add("relay, messages a second", spread("%,.0f", figures.relay()), "");
    add(
        "ratio",
        text("%.2f", figures.ratio()) + between("%.2f", figures.ratios()),
        ">= 0.50, better 0.80");
    add(
        "heap in use after collections",
        text("%.0f MiB of %.0f", figures.heapMib(), HeapPeak.limitMib()),
        "<= 256 MiB");
    add(
        "log (WAL) written while draining",
        text(
            "%.2f bytes a message, %.0f a save",
            figures.walBytesPerMessage(), figures.walBytesPerSave()),
        "the saves alone");
    add(
        "dead rows",
        text(
            "ledger %d, cursor %d",
            figures.server().deadLedgerTuples(), figures.server().deadCursorTuples()),
        "0");
  }

  private void latency(Figures.Latency latency) {
    add("commit to publisher, same JVM", percentiles(latency.sameJvm()), "p50 <= 1, p99 <= 3 ms");
    add("commit to publisher, other process", percentiles(latency.otherProcess()), "p50 <= 15 ms");
  }

  private void cost(Figures figures) {
    Map<Integer, Integer> trips = figures.cost().appendRoundTrips();
    String measured =
        trips.entrySet().stream()
            .map(entry -> text("%,d: %d", entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(", "));
    add("round trips of an append, by its messages", measured, "1");
    add("bytes of a message, index included", text("%.0f", figures.cost().bytesPerMessage()), "");
    add(
        "bytes of an inbox record, index included",
        text("%.0f", figures.cost().bytesPerInboxRecord()),
        "");
  }

  private void add(String what, String measured, String target) {
    lines.add(new Line(what, measured, target));
  }

  private String text() {
    int what = lines.stream().mapToInt(line -> line.what().length()).max().orElseThrow();
    int measured = lines.stream().mapToInt(line -> line.measured().length()).max().orElseThrow();
    String format = "%-" + what + "s  %-" + measured + "s  %s";
    return lines.stream()
        .map(line -> text(format, line.what(), line.measured(), line.target()).stripTrailing())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String spread(String format, Sample sample) {
    return text(format, sample.median()) + between(format, sample);
  }

  private static String between(String format, Sample sample) {
    return text(" (" + format + " to " + format + ")", sample.min(), sample.max());
  }

  private static String percentiles(Sample millis) {
    return text("p50 %.2f ms, p99 %.2f ms", millis.percentile(50), millis.percentile(99));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
