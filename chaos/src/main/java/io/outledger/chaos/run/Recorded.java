// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.chaos.checker.Finding;
import io.outledger.chaos.checker.Report;
import io.outledger.chaos.checker.Verdict;
import io.outledger.chaos.fault.Fault;
import io.outledger.chaos.fault.Incident;
import io.outledger.chaos.record.RunRecord;
import io.outledger.chaos.record.Versions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A run as it is recorded.
 *
 * @param options what was asked for
 * @param outcome what came of it
 * @param notRun what could not be done, and why
 */
record Recorded(ChaosOptions options, Outcome outcome, Map<Fault, String> notRun) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int FINDINGS_MAX = 5;

  RunRecord on(Versions versions) {
    ObjectNode node = JSON.createObjectNode();
    node.put("kind", "chaos");
    node.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    node.put("command", options.command());
    node.put("held", outcome.held());
    node.set("versions", JSON.valueToTree(versions.names()));
    node.put("seed", options.seed());
    node.put("minutes", options.minutes());
    node.set("trials", JSON.valueToTree(trials()));
    node.set("messages", JSON.valueToTree(messages()));
    node.set("liveness", JSON.valueToTree(outcome.liveness().waits()));
    notRun.forEach((fault, why) -> node.withObject("/notRun").put(fault.word(), why));
    if (!outcome.held()) {
      outcome.report().findings().stream()
          .limit(FINDINGS_MAX)
          .map(Finding::toString)
          .forEach(finding -> node.withArray("/broken").add(finding));
      outcome.brokenOff().ifPresent(why -> node.put("brokenOff", why));
    }
    return new RunRecord(node);
  }

  private Map<String, Long> trials() {
    Map<String, Long> trials = new LinkedHashMap<>();
    for (Incident incident : outcome.incidents()) {
      if (incident.inFlight() > 0) { // else it could not have done harm
        trials.merge(RunRecord.fault(incident.fault(), options.product()), 1L, Long::sum);
      }
    }
    trials.put(RunRecord.RACE, outcome.measured().races());
    trials.put(RunRecord.MOVE, outcome.measured().moves());
    trials.put(RunRecord.REQUEST, outcome.measured().asked().requests());
    trials.put(RunRecord.ASKED_AGAIN, outcome.measured().asked().again());
    trials.put(RunRecord.REPLAY, outcome.measured().asked().replays());
    outcome
        .measured()
        .asked()
        .verbs()
        .forEach((verb, count) -> trials.put(RunRecord.VERB + verb, count));
    if (options.isRandom()) {
      trials.put(RunRecord.RANDOM_MINUTES, (long) options.minutes());
    }
    return trials;
  }

  private Map<String, Long> messages() {
    Report.Counts counts = outcome.report().counts();
    Map<String, Long> messages = new LinkedHashMap<>();
    messages.put("committed", counts.committed());
    messages.put("rolledBack", counts.rolledBack());
    messages.put("published", counts.published());
    messages.put("effects", counts.effects());
    messages.put("duplicates", counts.duplicates());
    messages.put("duplicatesMax", counts.duplicatesMax());
    messages.put("overtaken", counts.overtaken());
    messages.put("leftAtHandover", outcome.measured().leftAtHandover());
    for (Verdict verdict : Verdict.values()) {
      messages.put(verdict.name(), outcome.report().count(verdict));
    }
    return messages;
  }
}
