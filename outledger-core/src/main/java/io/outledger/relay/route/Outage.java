// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.outledger.relay.options.Backoff;
import io.outledger.store.Paused;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Whether a route's destination can be reached. While it cannot, one message at a time probes it,
 * less and less often. Once it is back, each message that has its outcome lets one more be on its
 * way: were all sent at once, one that ends the connection would do so to all of them, again and
 * again.
 */
final class Outage {

  /** With so many on their way nothing is held back any more. */
  private static final int MANY = 4_096;

  private final Backoff backoff;
  private final RandomGenerator random;
  private int failures;
  private long metAt;
  private long earlierNanos; // how long earlier ones lasted together
  private boolean probing;
  private long probeAt;
  private int inFlightMax = MANY;
  private @Nullable Paused paused;

  Outage(Backoff backoff, RandomGenerator random) {
    this.backoff = backoff;
    this.random = random;
  }

  /** Returns whether nothing can go out: it cannot be reached, or an operator has paused it. */
  boolean isDown() {
    return failures > 0 || paused != null;
  }

  /** Returns whether the destination cannot be reached, as far as is known. */
  boolean isUnreachable() {
    return failures > 0;
  }

  boolean isPaused() {
    return paused != null;
  }

  /** Says why nothing can go out, for people. */
  String why() {
    return paused == null ? "the destination is unreachable" : paused.toString();
  }

  /** Takes that the route is paused, or no longer: then a destination that was away is probed. */
  void pause(@Nullable Paused by, long nowNanos) {
    if (paused != null && by == null) {
      probeAt = nowNanos;
    }
    paused = by;
  }

  /**
   * Returns whether it has lasted for that long, together with the earlier ones that were not
   * forgotten: a destination that comes and goes is down, too. A pause needs no patience.
   */
  boolean hasLasted(Duration time, long nowNanos) {
    return paused != null || hasFailedFor(time, nowNanos);
  }

  private boolean hasFailedFor(Duration time, long nowNanos) {
    return failures > 0 && earlierNanos + (nowNanos - metAt) >= NANOSECONDS.convert(time);
  }

  boolean hasEarlier() {
    return earlierNanos > 0;
  }

  void forgetEarlier() {
    earlierNanos = 0;
  }

  int failures() {
    return failures;
  }

  boolean isProbing() {
    return probing;
  }

  /** Notes that the destination could not be reached, and returns when it is to be probed. */
  Duration met(long nowNanos) {
    metAt = failures == 0 ? nowNanos : metAt;
    failures++;
    probing = false;
    inFlightMax = 1;
    Duration delay = backoff.delay(failures, random);
    probeAt = nowNanos + delay.toNanos();
    return delay;
  }

  boolean probeIsDue(long nowNanos) {
    return paused == null && failures > 0 && !probing && nowNanos - probeAt >= 0;
  }

  void probeSent() {
    probing = true;
  }

  /** Notes that a message has its outcome: the next probe, if there is to be one, is due now. */
  void answered(TimeSource time) {
    if (failures > 0) {
      failures = 1;
      probing = false;
      probeAt = time.nanoTime();
    } else if (inFlightMax < MANY) {
      inFlightMax++;
    }
  }

  /** Returns whether one more message may be on its way besides so many. */
  boolean hasRoom(int inFlight) {
    return inFlightMax == MANY || inFlight < inFlightMax;
  }

  void over(long nowNanos) {
    earlierNanos += nowNanos - metAt;
    failures = 0;
    probing = false;
    inFlightMax = 2;
  }

  long probeAtNanos() {
    return probeAt;
  }
}
