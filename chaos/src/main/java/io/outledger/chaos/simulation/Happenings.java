// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How often each interesting thing happened: runs in which no owner is ever frozen prove nothing
 * about frozen owners. Not thread-safe; each run has its own, and they are added up.
 */
public final class Happenings {

  private static final List<String> STORE_CALLS =
      List.of(
          "look",
          "takeOver",
          "checkPreconditions",
          "poll",
          "save",
          "writers",
          "blockers",
          "due",
          "releasable",
          "held",
          "parkedElsewhere",
          "discards",
          "pauses",
          "untilResumed",
          "purgeCursor",
          "publish",
          "divide");
  private static final List<String> CONSUMER_STEPS =
      List.of("in the work", "before the commit", "before the acknowledgement");

  private final Map<String, Long> counts = new TreeMap<>();

  Happenings() {
    for (Happening happening : Happening.values()) {
      counts.put(happening.toString(), 0L);
    }
    for (String call : STORE_CALLS) {
      counts.put("crash before " + call, 0L);
      counts.put("crash after " + call, 0L);
    }
    CONSUMER_STEPS.forEach(step -> counts.put("crash " + step, 0L));
  }

  /** Adds those of another run. */
  void add(Happenings other) {
    other.counts.forEach(this::note);
  }

  void note(Happening happening) {
    note(happening.toString(), 1);
  }

  void crashed(String where) {
    note("crash " + where, 1);
  }

  private void note(String what, long count) {
    counts.merge(what, count, Long::sum);
  }

  /** Returns what should have happened and never did. */
  public List<String> missing() {
    return counts.entrySet().stream()
        .filter(e -> e.getValue() == 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns a line for each thing, with its count. */
  @Override
  public String toString() {
    return counts.entrySet().stream()
        .map(entry -> "%,12d  %s".formatted(entry.getValue(), entry.getKey()))
        .collect(Collectors.joining("\n"));
  }
}
