// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Judges the order of each key's first arrivals. */
final class Orders {

  private long overtaken;

  /** How many messages came late for the one reason that excuses it. */
  long overtaken() {
    return overtaken;
  }

  void judge(Trails trails, Findings findings) {
    Map<String, List<Trail>> keys = new LinkedHashMap<>();
    for (Trail trail : trails.all()) {
      if (trail.key != null && trail.hasArrived() && trail.isCommitted() && !trail.isReleased) {
        keys.computeIfAbsent(trail.key, key -> new ArrayList<>()).add(trail);
      }
    }
    for (List<Trail> key : keys.values()) {
      key.sort(Comparator.comparingLong(trail -> trail.firstArrival));
      judge(key, findings);
    }
  }

  private void judge(List<Trail> key, Findings findings) {
    long highest = Long.MIN_VALUE;
    for (int i = 0; i < key.size(); i++) {
      Trail trail = key.get(i);
      if (trail.counter <= highest) {
        judgeLate(trail, key.subList(0, i), findings);
      }
      highest = Math.max(highest, trail.counter);
    }
  }

  private void judgeLate(Trail late, List<Trail> earlier, Findings findings) {
    for (Trail before : earlier) {
      if (before.counter >= late.counter && !late.followers.contains(before.id)) {
        findings.add(Verdict.REORDERED, late, "came after " + before);
        return;
      }
    }
    overtaken++;
  }
}
