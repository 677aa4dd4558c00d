// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.checker.Checker;
import io.outledger.chaos.history.Entry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Judges moves back: each that the operator was told is done has moved the cursor, and all that
 * lies beyond the cursor's new place was delivered again. Judges replays of single messages: each
 * was delivered again. Used once.
 */
final class Repeats {

  /** Stands for the position of a move by time. */
  static final long SOMEWHERE = 0;

  /**
   * A request has the time at which its step began, and whoever asked may have been answered before
   * that: the cursor is moved in the transaction that follows, which may wait for locks.
   */
  private static final long TRANSACTION_MS = 30_000;

  private final List<MovedBack> movedBack = new ArrayList<>();
  private final Set<Long> dead = new HashSet<>();
  private long high;

  /**
   * A move that was done.
   *
   * @param beganMs when it was asked for, by the clock that all processes here share
   * @param endedMs when the answer was there
   * @param position the first that is to be delivered again, or {@value #SOMEWHERE}
   */
  record Move(long beganMs, long endedMs, long position) {}

  /**
   * A replay of single messages that was done.
   *
   * @param beganMs when it was asked for
   * @param positions the messages
   * @param takenUp how many of them it says that it has taken up
   * @param text its id and its result, for people
   */
  record Again(long beganMs, List<Long> positions, int takenUp, String text) {}

  /** A cursor that was moved from one position to an earlier one. */
  private record MovedBack(long atMs, long from, long to) {}

  /** The next cursor row is one that an owner saved. */
  void saved(long savedHigh) {
    high = savedHigh;
  }

  /** The next cursor row is one by which it was moved. */
  void moved(long atMs, long movedTo) {
    movedBack.add(new MovedBack(atMs, high, movedTo));
    high = movedTo;
  }

  int count() {
    return movedBack.size();
  }

  /** A message that was a dead letter once may stay parked when it is read again. */
  void dead(long position) {
    dead.add(position);
  }

  void tell(List<Move> moves, long restoredMs, Times times, Checker checker) {
    List<Move> kept = moves.stream().filter(move -> move.endedMs() > restoredMs).toList();
    long found = kept.stream().filter(this::isFound).count();
    checker.accept(new Entry.Figure("moves that were done", kept.size(), found));
    long again = 0;
    long missing = 0;
    for (MovedBack move : movedBack) {
      for (long position = move.to() + 1; position <= move.from(); position++) {
        if (times.first(position) > 0 && !dead.contains(position)) {
          again++;
          missing += times.last(position) < move.atMs() ? 1 : 0;
        }
      }
    }
    checker.accept(new Entry.Figure("messages to be delivered again", again, again - missing));
  }

  /**
   * A message that was a dead letter once is left out, as above. Which of its messages a replay has
   * not taken up it does not say, so that as many may be missing.
   *
   * @param told hears of each replay of which something is missing
   */
  void tellAgain(List<Again> all, Times times, Checker checker, Consumer<String> told) {
    long again = 0;
    long missing = 0;
    for (Again one : all) {
      List<Long> alive = one.positions().stream().filter(each -> !dead.contains(each)).toList();
      long arrived = alive.stream().filter(each -> times.last(each) >= one.beganMs()).count();
      long expected = Math.min(one.takenUp(), alive.size());
      again += expected;
      missing += Math.max(0, expected - arrived);
      if (arrived < expected) {
        told.accept(
            "replay %s: %s of %s messages did not arrive"
                .formatted(one.text(), expected - arrived, expected));
      }
    }
    checker.accept(new Entry.Figure("messages to be replayed", again, again - missing));
  }

  private boolean isFound(Move move) {
    return movedBack.stream()
        .filter(one -> one.atMs() >= move.beganMs() - 1)
        .filter(one -> one.atMs() <= move.endedMs() + TRANSACTION_MS)
        .anyMatch(one -> move.position() == SOMEWHERE || one.to() == move.position() - 1);
  }
}
