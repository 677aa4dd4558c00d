// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How soon things went on, in all runs.
 *
 * @param records all runs
 */
record WaitTable(List<RunRecord> records) {

  private static final String GOAL = "goalMs";
  private static final String WITHIN_GOAL = "withinGoal";

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("## Recovery times\n");
    lines.add(
        "These times are measured, not judged: all processes share the machine, sometimes with"
            + " others.");
    lines.add(
        "A run that misses a goal breaks no promise: it shows here alone, and not among those that"
            + " failed.");
    lines.add(
        "The median is the median of the runs' medians; older runs have not counted how many were"
            + " within the");
    lines.add("goal. What waits for the end of a lease has that lease and a second as its goal.\n");
    lines.add("| wait | goal | within it | median | longest | times |");
    lines.add("|---|---|---|---|---|---|");
    Map<String, List<JsonNode>> waits = new LinkedHashMap<>();
    for (RunRecord record : records) {
      for (JsonNode wait : record.node().path("liveness")) {
        String goal = wait.path("name").asText() + goal(wait);
        waits.computeIfAbsent(goal, absent -> new ArrayList<>()).add(wait);
      }
    }
    waits.values().forEach(some -> lines.add(line(some)));
    lines.add("");
    return lines;
  }

  private static String line(List<JsonNode> some) {
    long[] medians = figures(some, "medianMs");
    long[] longest = figures(some, "maxMs");
    return "| %s | %s | %s | %s | %s | %s |"
        .formatted(
            some.get(0).path("name").asText(),
            seconds(goal(some.get(0))),
            withinGoal(some),
            seconds(medians[medians.length / 2]),
            seconds(longest[longest.length - 1]),
            Page.number(sum(some, "count")));
  }

  /** What older runs have named a limit was the same goal. */
  private static long goal(JsonNode wait) {
    return wait.path(wait.has(GOAL) ? GOAL : "limitMs").asLong();
  }

  private static String withinGoal(List<JsonNode> some) {
    List<JsonNode> counted = some.stream().filter(wait -> wait.has(WITHIN_GOAL)).toList();
    return counted.isEmpty()
        ? "–"
        : "%s of %s"
            .formatted(Page.number(sum(counted, WITHIN_GOAL)), Page.number(sum(counted, "count")));
  }

  private static long sum(List<JsonNode> some, String figure) {
    return Arrays.stream(figures(some, figure)).sum();
  }

  private static long[] figures(List<JsonNode> some, String figure) {
    return some.stream().mapToLong(wait -> wait.path(figure).asLong()).sorted().toArray();
  }

  private static String seconds(long ms) {
    return String.format(Locale.ROOT, "%.2f s", ms / 1e3);
  }
}
