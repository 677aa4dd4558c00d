// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The messages of a client that have no outcome yet; each gets one exactly once. Thread-safe. */
final class Unanswered {

  private final Outcomes outcomes;
  private final Set<Long> positions = ConcurrentHashMap.newKeySet();

  Unanswered(Outcomes outcomes) {
    this.outcomes = outcomes;
  }

  void add(long position) {
    positions.add(position);
  }

  /** Under a lock, so that nothing is reported any more when a close has returned. */
  synchronized void answer(long position, Outcome outcome) {
    if (positions.remove(position)) {
      outcomes.report(position, outcome);
    }
  }

  void answerAll(Outcome outcome) {
    for (Long position : positions) {
      answer(position, outcome);
    }
  }

  /** Describes what user code or a client has thrown, even if that has no text. */
  static String describe(Throwable thrown) {
    try {
      return String.valueOf(thrown);
    } catch (Throwable e) {
      return thrown.getClass().getName();
    }
  }
}
