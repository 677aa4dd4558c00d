// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import io.outledger.chaos.history.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Judges repeated arrivals: together no more than what was in flight at the crashes, and of each
 * message no more than one for each crash, or than is said of it.
 */
final class Duplicates {

  private final List<Entry.Crashed> crashes = new ArrayList<>();
  private final Map<UUID, Integer> mayRepeat = new HashMap<>();

  void crashed(Entry.Crashed crash) {
    crashes.add(crash);
  }

  void mayRepeat(UUID id) {
    mayRepeat.merge(id, 1, Integer::sum);
  }

  long max() {
    return crashes.stream().mapToLong(Entry.Crashed::inFlight).sum();
  }

  static long count(Trails trails) {
    return trails.all().stream().mapToLong(trail -> Math.max(0, trail.arrivals - 1)).sum();
  }

  void judge(Trails trails, Findings findings) {
    long count = count(trails);
    if (count > max()) {
      findings.add(
          Verdict.DUPLICATE,
          "all",
          count + " repeated arrivals, and at most " + max() + " were in flight");
      return;
    }
    if (!mayRepeat.isEmpty()) {
      judgeEach(trails, findings);
      return;
    }
    long crashesInFlight = crashes.stream().filter(crash -> crash.inFlight() > 0).count();
    for (Trail trail : trails.all()) {
      if (trail.arrivals - 1 > crashesInFlight) {
        findings.add(
            Verdict.DUPLICATE,
            trail,
            "arrived " + trail.arrivals + " times, with " + crashesInFlight + " crashes");
      }
    }
  }

  private void judgeEach(Trails trails, Findings findings) {
    for (Trail trail : trails.all()) {
      int allowed = mayRepeat.getOrDefault(trail.id, 0);
      if (trail.arrivals - 1 > allowed) {
        findings.add(
            Verdict.DUPLICATE,
            trail,
            "arrived " + trail.arrivals + " times, and may repeat " + allowed);
      }
    }
  }
}
