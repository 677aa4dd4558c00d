// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.relay.context.Wakeup;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The outcomes that a client has reported, from whatever thread, until the relay collects them. */
final class Arrivals implements Outcomes {

  /**
   * An outcome, and when it came.
   *
   * @param atNanos when it came, by the monotonic clock
   * @param worked how long the work took; null where nobody told its begin
   */
  record Arrival(long position, Outcome outcome, long atNanos, @Nullable Duration worked) {}

  /**
   * Replaces a null outcome, which a publisher without null checks may report: the message may or
   * may not have been published.
   */
  private static final Outcome NONE =
      Outcome.unavailable("the publisher reported null as an outcome");

  private final ConcurrentLinkedQueue<Arrival> queue = new ConcurrentLinkedQueue<>();

  /** When the work began of those that a handler has at work. */
  private final Map<Long, Long> begun = new ConcurrentHashMap<>();

  private final Wakeup wakeup;
  private final TimeSource time;

  Arrivals(Wakeup wakeup, TimeSource time) {
    this.wakeup = wakeup;
    this.time = time;
  }

  @Override
  public void report(long position, Outcome outcome) {
    long now = time.nanoTime();
    Long from = begun.remove(position);
    Duration worked = from == null ? null : Duration.ofNanos(now - from);
    queue.add(new Arrival(position, Objects.requireNonNullElse(outcome, NONE), now, worked));
    wakeup.signal();
  }

  @Override
  public void begins(long position) {
    begun.put(position, time.nanoTime());
  }

  @Nullable Arrival next() {
    return queue.poll();
  }
}
