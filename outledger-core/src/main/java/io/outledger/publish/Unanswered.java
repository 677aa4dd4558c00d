// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The messages of a client that have no outcome yet; each gets one exactly once. Thread-safe. */
final class Unanswered {

  private final Outcomes outcomes;
  private final Set<Long> positions = ConcurrentHashMap.newKeySet();
  private final Set<Long> begun = new HashSet<>();

  Unanswered(Outcomes outcomes) {
    this.outcomes = outcomes;
  }

  void add(long position) {
    positions.add(position);
  }

  boolean awaits(long position) {
    return positions.contains(position);
  }

  /** Returns whether a message may be sent now: not where it was taken back, or has begun. */
  synchronized boolean begin(long position) {
    return positions.contains(position) && begun.add(position);
  }

  /** Takes the messages that have not begun; they get no outcome any more. */
  synchronized Set<Long> takeNotBegun() {
    Set<Long> taken = new HashSet<>(positions);
    taken.removeAll(begun);
    positions.removeAll(taken);
    return taken;
  }

  /** Under a lock, so that nothing is reported any more when a close has returned. */
  synchronized void answer(long position, Outcome outcome) {
    begun.remove(position);
    if (positions.remove(position)) {
      outcomes.report(position, outcome);
    }
  }

  void answerAll(Outcome outcome) {
    for (Long position : positions) {
      answer(position, outcome);
    }
  }
}
