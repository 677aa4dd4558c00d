// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import io.outledger.chaos.history.Entry;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges whether what was committed, and only that, arrived: LOST, GHOST, STUCK, BROKER_LOST. */
final class Deliveries {

  private Entry.@Nullable Cursor cursor;

  void cursor(Entry.Cursor end) {
    cursor = end;
  }

  void judge(Trails trails, Findings findings) {
    Set<String> deadKeys = new HashSet<>();
    for (Trail trail : trails.all()) {
      if (trail.isDead && trail.blocks && trail.key != null) {
        deadKeys.add(trail.key);
      }
    }
    trails.all().forEach(trail -> judge(trail, deadKeys, findings));
    if (cursor != null && !cursor.open().isEmpty()) {
      findings.add(Verdict.STUCK, "cursor", "positions are open at the end: " + cursor.open());
    }
  }

  private void judge(Trail trail, Set<String> deadKeys, Findings findings) {
    if (trail.isForgotten) {
      return; // published or not, the database cannot say: see the barrier for what is on disk
    }
    if (!trail.isCommitted()) {
      judgeGhost(trail, findings);
    } else if (trail.isParked) {
      boolean isBehindDead = trail.key != null && deadKeys.contains(trail.key);
      if (!trail.isDead && !isBehindDead) {
        findings.add(Verdict.STUCK, trail, "is parked, and nothing holds it");
      }
    } else if (!trail.hasArrived() && !trail.isDiscarded) {
      judgeMissing(trail, findings);
    }
  }

  private static void judgeGhost(Trail trail, Findings findings) {
    String why = trail.outcome == null ? "nobody wrote it" : "its transaction did not commit";
    if (trail.hasArrived()) {
      findings.add(Verdict.GHOST, trail, "arrived, and " + why);
    } else if (trail.isParked) {
      findings.add(Verdict.GHOST, trail, "is parked, and " + why);
    }
  }

  private void judgeMissing(Trail trail, Findings findings) {
    if (trail.isAcknowledged) {
      findings.add(Verdict.BROKER_LOST, trail, "was acknowledged and never seen");
    } else if (isPending(trail.position)) {
      findings.add(Verdict.STUCK, trail, "still waits to be published");
    } else {
      String where = trail.position == 0 ? "is not in the ledger" : "was passed over";
      findings.add(Verdict.LOST, trail, "committed, never arrived, not parked; " + where);
    }
  }

  private boolean isPending(long position) {
    return cursor != null
        && position > 0
        && (position > cursor.high() || cursor.open().contains(position));
  }
}
