// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * All runs, those that failed at length.
 *
 * @param records all runs
 */
record RunTable(List<RunRecord> records) {

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("## Runs\n");
    lines.add("| when | passed | faults | messages | versions | command |");
    lines.add("|---|---|---|---|---|---|");
    records.forEach(record -> lines.add(line(record)));
    lines.add("");
    records.stream()
        .filter(record -> record.held() && !record.text("about").isEmpty())
        .forEach(
            record -> lines.add("- " + record.text("at") + ": " + record.text("about") + "\n"));
    lines.add("## Failed runs\n");
    List<RunRecord> failed = records.stream().filter(record -> !record.held()).toList();
    if (failed.isEmpty()) {
      lines.add("None so far.");
    }
    failed.forEach(record -> failure(record, lines));
    lines.add("");
    return lines;
  }

  private static String line(RunRecord record) {
    long faults =
        record.trials().entrySet().stream()
            .filter(one -> RunRecord.isFault(one.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum();
    StringJoiner versions = new StringJoiner(", ");
    record
        .node()
        .path("versions")
        .properties()
        .forEach(one -> versions.add(one.getKey() + " " + one.getValue().asText()));
    return "| %s | %s | %s | %s | %s | `%s` |"
        .formatted(
            record.text("at"),
            record.held() ? "yes" : "**no**",
            Page.number(faults),
            Page.number(record.number("messages", "committed")),
            versions,
            record.text("command"));
  }

  private static void failure(RunRecord record, List<String> lines) {
    lines.add("- %s, `%s`".formatted(record.text("at"), record.text("command")));
    for (JsonNode finding : record.node().path("broken")) {
      lines.add("  - " + String.join("; ", finding.asText().lines().map(String::strip).toList()));
    }
    String brokenOff = record.text("brokenOff");
    if (!brokenOff.isEmpty()) {
      lines.add("  - broken off: " + brokenOff.lines().findFirst().orElse(""));
    }
    String about = record.text("about");
    lines.add("  - " + (about.isEmpty() ? "**open**: nothing was found out yet" : about));
  }
}
