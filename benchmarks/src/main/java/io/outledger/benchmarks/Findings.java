// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Figures, gathered line by line: what was measured, the value, and its goal. Written as a small
 * table for people and as JSON for machines. Not thread-safe.
 */
final class Findings {

  private final List<Line> lines = new ArrayList<>();

  /** Begins with what was measured on what, which is the table's head. */
  Findings(String head, Object... values) {
    lines.add(new Line("", text(head, values), "measured", "goal", ""));
  }

  private record Line(String name, String what, String measured, String target, String json) {}

  /** Adds a line that says on what the following was measured. */
  Findings title(String name, String text) {
    lines.add(new Line(name, text, "", "", "\"" + text + "\""));
    return this;
  }

  /**
   * Adds one value.
   *
   * @param name what machines call it
   * @param what people call it
   * @param format how people read it, such as {@code %,.0f}
   * @param target its goal; empty if it has none
   */
  Findings add(String name, String what, String format, double value, String target) {
    lines.add(new Line(name, what, text(format, value), target, json(value)));
    return this;
  }

  /** Adds a sample: its median, and in brackets the lowest and the highest. */
  Findings add(String name, String what, String format, Sample sample, String target) {
    String brackets = " (" + format + " to " + format + ")";
    String measured =
        text(format, sample.median())
            + (sample.size() == 1 ? "" : text(brackets, sample.min(), sample.max()));
    String json =
        "{\"median\": %s, \"min\": %s, \"max\": %s}"
            .formatted(json(sample.median()), json(sample.min()), json(sample.max()));
    lines.add(new Line(name, what, measured, target, json));
    return this;
  }

  /** Writes the table. */
  String table() {
    int what = lines.stream().mapToInt(line -> line.what().length()).max().orElseThrow();
    int measured = lines.stream().mapToInt(line -> line.measured().length()).max().orElseThrow();
    String format = "%-" + what + "s  %-" + measured + "s  %s";
    return lines.stream()
        .map(line -> text(format, line.what(), line.measured(), line.target()).stripTrailing())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Writes an object with a field for each line. */
  String json() {
    return lines.stream()
        .skip(1)
        .map(line -> "\"" + line.name() + "\": " + line.json())
        .collect(Collectors.joining(",\n  ", "{\n  ", "\n}\n"));
  }

  Benchmark.Report report() {
    return new Benchmark.Report(table(), json());
  }

  private static String json(double value) {
    return Double.isFinite(value) ? text("%.3f", value) : "null";
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
