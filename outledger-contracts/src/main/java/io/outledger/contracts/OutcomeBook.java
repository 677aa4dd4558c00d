// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Every outcome that a client has reported, by position. Thread-safe. */
final class OutcomeBook implements Outcomes {

  private final Map<Long, List<Outcome>> reported = new HashMap<>();
  private final Semaphore news = new Semaphore(0);
  private boolean hasOutage;

  @Override
  public void report(long position, Outcome outcome) {
    synchronized (this) {
      reported.computeIfAbsent(position, none -> new ArrayList<>()).add(outcome);
      hasOutage |= outcome instanceof Outcome.Unavailable;
    }
    news.release();
  }

  synchronized List<Outcome> of(long position) {
    return List.copyOf(reported.getOrDefault(position, List.of()));
  }

  /** Says whether a message met an outage, after which a relay hands nothing more over. */
  synchronized boolean hasOutage() {
    return hasOutage;
  }

  synchronized Map<Long, List<Outcome>> all() {
    Map<Long, List<Outcome>> copy = new HashMap<>();
    reported.forEach((position, outcomes) -> copy.put(position, List.copyOf(outcomes)));
    return copy;
  }

  /** Waits until each of the positions has an outcome; silence for so long is a failure. */
  void await(Collection<Long> positions, Duration silence) {
    await(() -> has(positions), "some of " + positions, silence);
  }

  /**
   * Waits until each of the positions has an outcome, or one met an outage; silence for so long is
   * a failure.
   */
  void awaitAllOrOutage(Collection<Long> positions, Duration silence) {
    await(() -> hasOutage() || has(positions), "some of " + positions, silence);
  }

  private void await(BooleanSupplier isThere, String whose, Duration silence) {
    while (!isThere.getAsBoolean()) {
      try {
        if (!news.tryAcquire(silence.toMillis(), TimeUnit.MILLISECONDS)
            && !isThere.getAsBoolean()) {
          throw new AssertionError("no outcome for " + whose + ", only for " + all());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for outcomes", e);
      }
    }
  }

  private synchronized boolean has(Collection<Long> positions) {
    return reported.keySet().containsAll(positions);
  }
}
