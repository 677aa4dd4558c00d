// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * The page that says what runs have shown, written from their records alone.
 *
 * @param records in the order in which they were made
 */
record Page(List<RunRecord> records) {

  private static final String HEAD =
      """
      # What was broken, and held

      This page is written by the runs themselves, from
      [reliability/runs.jsonl](reliability/runs.jsonl), a line for each run; do not edit it. A run
      starts PostgreSQL, Kafka, two writers, three relays, three consumers and an operator as
      processes. The operator moves and replays, purges, retries and discards, and makes and deletes
      a subscription. All are broken while they have work in flight, and then everything is counted
      again in the database, in Kafka and in the effects. What a relay believes is not asked.
      A run that failed stays here, with what was done about it. Simulated histories, which need
      no servers, have lines of their own.
      What can go wrong at all, and what tries it: [catalogue.md](catalogue.md).

      ```
      ./outledger chaos --minutes 20 --seed 7
      ./outledger chaos --minutes 20 --faults relay-killed,failed-over
      ./outledger chaos --help
      chaos/sim --seeds 300000
      ```
      """;

  /** Returns the page. */
  String text() {
    Trials trials = Trials.of(records);
    List<String> lines = new ArrayList<>();
    lines.add(HEAD);
    lines.addAll(trials.scenarios());
    lines.addAll(new MessageTable(records).lines());
    lines.addAll(new WaitTable(records).lines());
    lines.addAll(trials.faults());
    lines.addAll(new RunTable(records).lines());
    lines.addAll(notRun(trials));
    return String.join("\n", lines) + "\n";
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private List<String> notRun(Trials trials) {
    List<String> lines = new ArrayList<>();
    lines.add("## Not run\n");
    TreeSet<String> reasons = new TreeSet<>();
    for (RunRecord record : records) {
      record
          .node()
          .path("notRun")
          .properties()
          .forEach(one -> reasons.add(one.getKey() + ", in some runs: " + one.getValue().asText()));
    }
    reasons.forEach(reason -> lines.add("- " + reason));
    for (Scenario scenario : Scenario.all()) {
      if (trials.count(scenario) == 0) {
        lines.add("- " + scenario.title());
      }
    }
    lines.add(
        "- a crash of the whole machine: `kill -9` leaves what the system was handed, and the");
    lines.add("  servers' data lie in memory where there is plenty");
    lines.add("- other brokers and databases than the versions in the table of runs");
    return lines;
  }
}
