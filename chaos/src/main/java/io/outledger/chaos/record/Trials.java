// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.record;

import io.outledger.chaos.fault.Fault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How often what was tried, since the last run that broke a promise while the same was tried: it
 * takes away what was shown before, since that was not as safe as it seemed.
 *
 * @param counts by name
 */
record Trials(Map<String, Long> counts) {

  private static final double SURE_OF = 3.0; // with no failure in N trials: 95 % sure of below 3/N

  static Trials of(List<RunRecord> records) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (RunRecord record : records) {
      if (record.held()) {
        record.trials().forEach((what, count) -> counts.merge(what, count, Long::sum));
      } else if (!record.isFailureOfTest()) {
        record.trials().keySet().forEach(counts::remove);
      }
    }
    return new Trials(counts);
  }

  /** Returns the part of the page that says how often. */
  List<String> scenarios() {
    List<String> lines = new ArrayList<>();
    lines.add("## Trials without a failure\n");
    lines.add(
        "`N` counts trials in runs in which every promise held, since the last run that broke one");
    lines.add(
        "in the same trial. A fault counts if it met work in flight. With no failure in N trials,");
    lines.add("one may be 95 % sure that fewer than about 3/N of them fail.\n");
    lines.add("| trial | goal | N | 3/N |");
    lines.add("|---|---|---|---|");
    for (Scenario scenario : Scenario.all()) {
      long count = count(scenario);
      String wanted = scenario.wanted() == 0 ? "" : Page.number(scenario.wanted());
      lines.add(
          "| %s | %s | %s | %s |"
              .formatted(scenario.title(), wanted, Page.number(count), bound(scenario, count)));
    }
    lines.add("");
    return lines;
  }

  /** Returns the part of the page that has every fault. */
  List<String> faults() {
    List<String> lines = new ArrayList<>();
    lines.add("## Every fault\n");
    lines.add("| fault | N |");
    lines.add("|---|---|");
    for (Fault fault : Fault.values()) {
      long count = counts.getOrDefault(fault.word(), 0L);
      lines.add("| %s | %s |".formatted(fault.word(), Page.number(count)));
    }
    lines.add("");
    return lines;
  }

  /** Returns how often it was shown. */
  long count(Scenario scenario) {
    return scenario.words().stream().mapToLong(word -> counts.getOrDefault(word, 0L)).sum();
  }

  private static String bound(Scenario scenario, long count) {
    if (count == 0) {
      return "not run";
    }
    return scenario.isTrial() ? percent(SURE_OF / count) : "";
  }

  private static String percent(double share) {
    return share >= 1 ? "–" : String.format(Locale.ROOT, "%.2g %%", share * 100);
  }
}
