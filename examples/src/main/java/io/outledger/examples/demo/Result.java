// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outledger.chaos.checker.Finding;
import io.outledger.chaos.checker.Report;
import io.outledger.chaos.checker.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What came of a run.
 *
 * @param options what was asked for
 * @param asked how the customers fared
 * @param kills who was killed
 * @param ms how long it took
 * @param reports what was counted
 */
record Result(DemoOptions options, Asked asked, List<Kill> kills, long ms, Reports reports) {

  /**
   * How the customers fared.
   *
   * @param answered how many orders have their answer
   * @param again how often one was asked for again, because no answer came
   */
  record Asked(int answered, int again) {}

  /**
   * What the checker says.
   *
   * @param requests of the customers' requests
   * @param orders of the way from an order to its effect
   * @param stock of the way from a reservation to the broker
   * @param units of what was ordered and what was reserved
   */
  record Reports(Report requests, Report orders, Report stock, Units units) {

    List<Report> all() {
      return List.of(requests, orders, stock);
    }

    long count(Verdict verdict) {
      return all().stream().mapToLong(report -> report.count(verdict)).sum();
    }
  }

  /** Units of all products together: a sum shows what was done twice. */
  record Units(long ordered, long reserved) {}

  /** Returns whether every promise held, and all that was asked for was done. */
  boolean held() {
    return isDone() && findings().findAny().isEmpty();
  }

  /** Returns whether nothing is wrong but that more was published again than is accounted for. */
  boolean onlyRepeated() {
    return isDone() && !held() && findings().allMatch(Finding::isRepetition);
  }

  private boolean isDone() {
    return asked.answered() == options.orders()
        && kills.size() == options.kills()
        && reports.units().ordered() == reports.units().reserved();
  }

  private Stream<Finding> findings() {
    return reports.all().stream().flatMap(report -> report.findings().stream());
  }

  /** Returns it as JSON. */
  String json() {
    Report.Counts counts = reports.orders().counts();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seed", options.seed());
    json.put("db", options.db());
    json.put("broker", options.broker());
    json.put("orders", options.orders());
    json.put("committed", counts.committed());
    json.put("rolledBack", reports.requests().counts().rolledBack());
    json.put("published", counts.published());
    json.put("duplicates", counts.duplicates());
    json.put("duplicatesMax", counts.duplicatesMax());
    json.put("lost", reports.count(Verdict.LOST));
    json.put("ghosts", reports.count(Verdict.GHOST));
    json.put("reordered", reports.count(Verdict.REORDERED));
    json.put("effects", counts.effects());
    json.put("stockReserved", stock());
    json.put("killed", kills);
    json.put("seconds", ms / 1e3);
    json.put("verdict", held() ? "passed" : onlyRepeated() ? "repeated" : "failed");
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private Map<String, Long> stock() {
    Report.Counts counts = reports.stock().counts();
    Map<String, Long> json = new LinkedHashMap<>();
    json.put("committed", counts.committed());
    json.put("published", counts.published());
    json.put("duplicates", counts.duplicates());
    json.put("duplicatesMax", counts.duplicatesMax());
    return json;
  }
}
