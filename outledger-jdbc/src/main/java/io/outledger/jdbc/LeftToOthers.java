// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.receive.ParkedReceived;
import io.outledger.store.Declaration;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The parked messages that a member of a consumer has found due and does not handle. It first
 * leaves them due, so that the members that handle them find them: whoever put such a message off
 * at once could be the first to look again each time. Those that are due after a while it puts off,
 * for what is behind them. Thread-safe.
 */
final class LeftToOthers {

  /** In which every member looks at what is due, more than once. */
  private static final Duration DUE_FOR = Duration.ofSeconds(3);

  private static final Duration PUT_OFF_FOR = Duration.ofSeconds(5);

  private final TimeSource time;
  private final Map<Long, Long> since = new ConcurrentHashMap<>();

  LeftToOthers(TimeSource time) {
    this.time = time;
  }

  /** Returns how a message is parked for a member that handles it. */
  static ParkedFailure parked(Declaration declared) {
    return waits(declared, 0, Duration.ZERO);
  }

  private static ParkedFailure waits(Declaration declared, int attempts, Duration delay) {
    String reason = "waits for an instance that handles " + declared;
    return new ParkedFailure(ParkedState.RETRYING, true, attempts, reason, delay);
  }

  /** Returns how many it has, at most. */
  int count() {
    return since.size();
  }

  /** Returns the others of those that are due, and forgets what is due no longer. */
  List<ParkedReceived> without(List<ParkedReceived> due) {
    if (since.isEmpty()) {
      return due;
    }
    since.keySet().retainAll(due.stream().map(ParkedReceived::number).collect(Collectors.toSet()));
    return due.stream().filter(each -> !has(each)).toList();
  }

  private boolean has(ParkedReceived parked) {
    Long from = since.get(parked.number());
    return from != null && time.nanoTime() - from < DUE_FOR.toNanos();
  }

  /** Leaves a message to the others; returns how it is put off, once they have had their time. */
  Optional<ParkedFailure> leave(ParkedReceived parked, Declaration declared) {
    Long from = since.putIfAbsent(parked.number(), time.nanoTime());
    return from == null
        ? Optional.empty()
        : Optional.of(waits(declared, parked.attempts(), PUT_OFF_FOR));
  }
}
