// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.record;

import io.outledger.chaos.checker.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the messages of all runs.
 *
 * @param records all runs
 */
record MessageTable(List<RunRecord> records) {

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("## Messages\n");
    lines.add("| | in passed runs | in failed runs |");
    lines.add("|---|---|---|");
    figures().forEach((figure, title) -> lines.add(row(title, figure)));
    lines.add("");
    lines.add(
        """
        Duplicates have the same id. They follow a move back, a replay, and a failure: a crash, a
        lost lease, or a lost connection or acknowledgement of the broker. A failure repeats at most
        what the relay had sent and not saved. A message that was committed and not published
        is a dead letter, or the operator discarded it. A clean stop leaves messages sent and not
        settled only if their outcome cannot be known, because the connection was lost just
        before. `AUDIT` counts requests of the operator without exactly one row in the audit, in an
        end state. `BROKER_LOST` counts messages that Kafka acknowledged and does not have; it fails
        a run too.
        """);
    return lines;
  }

  private static Map<String, String> figures() {
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("committed", "committed");
    figures.put("published", "published");
    figures.put("rolledBack", "rolled back");
    figures.put("effects", "effects");
    figures.put("duplicates", "duplicates");
    figures.put("duplicatesMax", "allowed duplicates");
    figures.put("leftAtHandover", "sent and not settled when a lease was given back");
    for (Verdict verdict : Verdict.values()) {
      if (verdict != Verdict.LEAK
          && verdict != Verdict.METRIC_LIE) { // not looked for by these runs
        figures.put(verdict.name(), "`" + verdict.name() + "`");
      }
    }
    return figures;
  }

  private String row(String title, String figure) {
    return "| %s | %s | %s |".formatted(title, sum(figure, true), sum(figure, false));
  }

  private String sum(String figure, boolean held) {
    return Page.number(
        records.stream()
            .filter(record -> record.held() == held)
            .mapToLong(record -> record.number("messages", figure))
            .sum());
  }
}
