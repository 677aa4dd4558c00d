// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What the checker found, and what it counted.
 *
 * @param findings everything that is wrong, {@link Verdict#BROKER_LOST} included
 * @param counts what was counted
 */
public record Report(List<Finding> findings, Counts counts) {

  private static final int SHOWN_MAX = 20;

  /**
   * What was counted.
   *
   * @param committed messages whose transaction committed, unknown ones decided by the database
   * @param rolledBack messages whose transaction did not
   * @param published committed messages that arrived at least once
   * @param dead dead letters at the end
   * @param duplicates arrivals beyond the first of each message
   * @param duplicatesMax how many the crashes account for
   * @param overtaken messages that came late because they were rejected with followers in flight
   * @param effects committed effects, of all consumers
   */
  public record Counts(
      long committed,
      long rolledBack,
      long published,
      long dead,
      long duplicates,
      long duplicatesMax,
      long overtaken,
      long effects) {}

  /** Returns whether every promise of ours held; what the broker lost is not ours. */
  public boolean passed() {
    return findings.stream().allMatch(finding -> finding.verdict() == Verdict.BROKER_LOST);
  }

  /** Returns how many findings have this verdict. */
  public long count(Verdict verdict) {
    return findings.stream().filter(finding -> finding.verdict() == verdict).count();
  }

  /** Returns the counts and the first findings, a line each. */
  @Override
  public String toString() {
    String head = (passed() ? "passed " : "FAILED ") + counts;
    return head
        + findings.stream()
            .limit(SHOWN_MAX)
            .map(finding -> "\n  " + finding)
            .collect(Collectors.joining())
        + (findings.size() > SHOWN_MAX ? "\n  … " + findings.size() + " in all" : "");
  }
}
