// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import java.util.ArrayList;
import java.util.List;

/** Says what a crash has broken. */
record Verdict(
    List<String> expected,
    List<String> observed,
    List<String> steps,
    boolean crashed,
    boolean mayBeNothing) {

  String text() {
    StringBuilder text = new StringBuilder(200);
    if (crashed) {
      text.append("The process crashed ").append(steps.get(steps.size() - 1)).append(". ");
      text.append(
          mayBeNothing
              ? "The request had not returned, so all of its effects must happen once, or none."
              : "All effects of the request must happen once.");
    } else {
      text.append(
          "The process did not reach the step at which it was to crash: the flow must take the"
              + " same steps in each run.");
    }
    list(text, "Lost:", without(expected, observed));
    List<String> tooMany = without(observed, expected);
    list(text, "Happened once too often:", tooMany.stream().filter(expected::contains).toList());
    list(
        text,
        "Happened, but not without a crash:",
        tooMany.stream().filter(line -> !expected.contains(line)).toList());
    list(text, "Observed:", observed);
    list(text, crashed ? "What it did up to the crash:" : "What it did:", steps);
    return text.toString();
  }

  private static List<String> without(List<String> lines, List<String> others) {
    List<String> rest = new ArrayList<>(lines);
    others.forEach(rest::remove);
    return rest;
  }

  private static void list(StringBuilder text, String title, List<String> lines) {
    if (!lines.isEmpty()) {
      text.append('\n').append(title);
      lines.forEach(line -> text.append("\n  ").append(line));
    }
  }
}
