// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.checker.Report;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What became of one run.
 *
 * @param seed its seed
 * @param reports the checker's report on each route, by its subscription's name and its own
 * @param happenings what has happened on the way
 */
public record SimulationResult(long seed, Map<String, Report> reports, Happenings happenings) {

  /** Returns whether every promise held for every subscription. */
  public boolean passed() {
    return reports.values().stream().allMatch(Report::passed);
  }

  @Override
  public String toString() {
    return "seed "
        + seed
        + reports.entrySet().stream()
            .map(entry -> "\n " + entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining());
  }
}
