// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import io.outledger.chaos.history.Entry;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges repeated arrivals: together no more than what was in flight at the crashes, and of each
 * message no more than one for each crash.
 */
final class Duplicates {

  private final List<Entry.Crashed> crashes = new ArrayList<>();

  void crashed(Entry.Crashed crash) {
    crashes.add(crash);
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
}
