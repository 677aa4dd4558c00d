// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import io.outledger.chaos.history.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Judges whether a predecessor changed anything once a successor had: STALE. */
final class Owners {

  private final Map<String, List<Entry.Changed>> rows = new LinkedHashMap<>();

  void changed(Entry.Changed change) {
    rows.computeIfAbsent(change.row(), row -> new ArrayList<>()).add(change);
  }

  void judge(Findings findings) {
    rows.values().forEach(changes -> judge(changes, findings));
  }

  private static void judge(List<Entry.Changed> changes, Findings findings) {
    changes.sort(Comparator.comparingLong(Entry.Changed::n));
    Set<String> gone = new HashSet<>();
    String owner = "";
    for (Entry.Changed change : changes) {
      if (change.owner().equals(owner)) {
        continue;
      }
      gone.add(owner);
      owner = change.owner();
      if (gone.contains(owner)) {
        findings.add(
            Verdict.STALE,
            change.row() + " " + change.n(),
            "changed by " + owner + " after a successor");
      }
    }
  }
}
