// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.checker.Checker;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.roles.MoveLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Judges moves back: each that the operator was told is done has moved the cursor, and all that
 * lies beyond the cursor's new place was delivered again. Used once.
 */
final class Replays {

  private final List<Replay> replays = new ArrayList<>();
  private final Set<Long> dead = new HashSet<>();
  private long high;

  /** A cursor that was moved from one position to an earlier one. */
  private record Replay(long atMs, long from, long to) {}

  /** The next cursor row is one that an owner saved. */
  void saved(long savedHigh) {
    high = savedHigh;
  }

  /** The next cursor row is one by which it was moved. */
  void moved(long atMs, long movedTo) {
    replays.add(new Replay(atMs, high, movedTo));
    high = movedTo;
  }

  int count() {
    return replays.size();
  }

  /** A message that was a dead letter once stays parked in a replay, and may be discarded. */
  void dead(long position) {
    dead.add(position);
  }

  void tell(List<MoveLog.Move> moves, long restoredMs, Times times, Checker checker) {
    List<MoveLog.Move> kept = moves.stream().filter(move -> move.endedMs() > restoredMs).toList();
    long found = kept.stream().filter(this::isFound).count();
    checker.accept(new Entry.Figure("moves that were done", kept.size(), found));
    long again = 0;
    long missing = 0;
    for (Replay replay : replays) {
      for (long position = replay.to() + 1; position <= replay.from(); position++) {
        if (times.first(position) > 0 && !dead.contains(position)) {
          again++;
          missing += times.last(position) < replay.atMs() ? 1 : 0;
        }
      }
    }
    checker.accept(new Entry.Figure("messages to be delivered again", again, again - missing));
  }

  private boolean isFound(MoveLog.Move move) {
    return replays.stream()
        .filter(one -> one.atMs() >= move.beganMs() - 1 && one.atMs() <= move.endedMs() + 1)
        .anyMatch(one -> move.position() == MoveLog.SOMEWHERE || one.to() == move.position() - 1);
  }
}
