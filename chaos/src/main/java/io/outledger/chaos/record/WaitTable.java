// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
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

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("## Recovery times\n");
    lines.add(
        "These times are measured, not judged: all processes share the machine, sometimes with"
            + " others.");
    lines.add(
        "The median is the median of the runs' medians. The lease lasts 2 s here, 5 s on MariaDB"
            + " and MySQL.\n");
    lines.add("| wait | goal | median | longest | times |");
    lines.add("|---|---|---|---|---|");
    Map<String, List<JsonNode>> waits = new LinkedHashMap<>();
    for (RunRecord record : records) {
      for (JsonNode wait : record.node().path("liveness")) {
        waits.computeIfAbsent(wait.path("name").asText(), name -> new ArrayList<>()).add(wait);
      }
    }
    waits.forEach((name, some) -> lines.add(line(name, some)));
    lines.add("");
    return lines;
  }

  private static String line(String name, List<JsonNode> some) {
    long[] medians = figures(some, "medianMs");
    long[] longest = figures(some, "maxMs");
    long count = 0;
    for (long times : figures(some, "count")) {
      count += times;
    }
    return "| %s | %s | %s | %s | %s |"
        .formatted(
            name,
            seconds(figures(some, "limitMs")[0]),
            seconds(medians[medians.length / 2]),
            seconds(longest[longest.length - 1]),
            Page.number(count));
  }

  private static long[] figures(List<JsonNode> some, String figure) {
    return some.stream().mapToLong(wait -> wait.path(figure).asLong()).sorted().toArray();
  }

  private static String seconds(long ms) {
    return String.format(Locale.ROOT, "%.2f s", ms / 1e3);
  }
}
