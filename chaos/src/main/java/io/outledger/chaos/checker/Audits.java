// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import io.outledger.chaos.history.Entry;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Judges that each request has exactly one row in the audit, in an end state: AUDIT. */
final class Audits {

  private final Set<UUID> asked = new LinkedHashSet<>();
  private final Set<UUID> maybeGone = new HashSet<>();
  private final Map<UUID, Integer> rows = new LinkedHashMap<>();
  private final Set<UUID> open = new HashSet<>();

  void asked(UUID id) {
    asked.add(id);
  }

  void unasked(UUID id) {
    maybeGone.add(id);
  }

  void audited(Entry.Audited row) {
    rows.merge(row.id(), 1, Integer::sum);
    if (!row.isOver()) {
      open.add(row.id());
    }
  }

  void judge(Findings findings) {
    for (UUID id : asked) {
      if (!rows.containsKey(id) && !maybeGone.contains(id)) {
        findings.add(Verdict.AUDIT, id, "was asked for, and the audit has no row of it");
      }
    }
    rows.forEach(
        (id, count) -> {
          if (!asked.contains(id)) {
            findings.add(Verdict.AUDIT, id, "is in the audit, and nobody asked for it");
          } else if (count > 1) {
            findings.add(Verdict.AUDIT, id, "has " + count + " rows in the audit");
          } else if (open.contains(id)) {
            findings.add(Verdict.AUDIT, id, "was asked for, and came to no end");
          }
        });
  }
}
