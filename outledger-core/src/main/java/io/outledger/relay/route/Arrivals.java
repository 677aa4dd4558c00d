// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.relay.context.Wakeup;
import io.outledger.time.TimeSource;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The outcomes that a client has reported, from whatever thread, until the relay collects them. */
final class Arrivals implements Outcomes {

  /** An outcome, and when it came by the monotonic clock. */
  record Arrival(long position, Outcome outcome, long atNanos) {}

  /**
   * Replaces a null outcome, which a publisher without null checks may report: the message may or
   * may not have been published.
   */
  private static final Outcome NONE =
      Outcome.unavailable("the publisher reported null as an outcome");

  private final ConcurrentLinkedQueue<Arrival> queue = new ConcurrentLinkedQueue<>();
  private final Wakeup wakeup;
  private final TimeSource time;

  Arrivals(Wakeup wakeup, TimeSource time) {
    this.wakeup = wakeup;
    this.time = time;
  }

  @Override
  public void report(long position, Outcome outcome) {
    queue.add(new Arrival(position, Objects.requireNonNullElse(outcome, NONE), time.nanoTime()));
    wakeup.signal();
  }

  @Nullable Arrival next() {
    return queue.poll();
  }
}
