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
      # Reliability

      The runs themselves write this page, from [reliability/runs.jsonl](reliability/runs.jsonl),
      a line for each run; do not edit it. A run starts PostgreSQL (or MariaDB, or MySQL), Kafka,
      two writers, three relays, three consumers and an operator as processes (on MariaDB and
      MySQL one, two, two and one). The operator moves and replays,
      purges, retries and discards, and creates and deletes a subscription. The run breaks all of
      them while they have work in flight, and then counts everything again in the database, in
      Kafka and in the effects. It never relies on what a relay believes. A failed run stays here,
      with its cause and remedy. Simulated histories, which need no servers, have their own lines;
      so has `chaos/sagas`, whose processes run sagas and are killed: see [sagas.md](sagas.md);
      `chaos/scheduled`, whose processes move [scheduled messages](scheduled.md);
      `chaos/partitions`, whose processes share [partitions](partitions.md); and `proof/connect`,
      with workers of [Kafka Connect](connect.md).
      [catalogue.md](catalogue.md) lists what can go wrong and what tries it.

      ```
      ./outledger chaos --minutes 20 --seed 7
      ./outledger chaos --minutes 20 --faults relay-killed,failed-over
      ./outledger chaos --db mariadb --minutes 20
      ./outledger chaos --help
      chaos/sim --seeds 300000
      chaos/sagas --count 1000
      chaos/scheduled --count 40000
      chaos/partitions --mishaps 60
      proof/connect --faults 200
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
        "- a crash of the whole machine: `kill -9` keeps what the operating system has received,"
            + " and");
    lines.add("  the servers' data are in memory if there is enough of it");
    lines.add("- brokers and databases other than the versions in the table of runs");
    return lines;
  }
}
