// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.time.TimeSource;
import java.time.Duration;

/**
 * An owner's own view of its lease, on the monotonic clock, counted from before it sent the
 * statement that took or renewed it: so it ends before the database's.
 */
final class LeaseClock {

  private static final int MARGIN_DIVISOR = 10;
  private static final int RENEWALS = 3;

  private final TimeSource time;
  private final long leaseNanos;
  private volatile long askedAt;

  LeaseClock(TimeSource time, Duration lease, long askedAt) {
    this.time = time;
    this.leaseNanos = lease.toNanos();
    this.askedAt = askedAt;
  }

  void renewed(long askedAtNanos) {
    askedAt = askedAtNanos;
  }

  /** Returns whether the owner may still publish. */
  boolean isValid() {
    return leftNanos() > 0;
  }

  long leftNanos() {
    return leaseNanos - leaseNanos / MARGIN_DIVISOR - (time.nanoTime() - askedAt);
  }

  boolean renewalIsDue() {
    return time.nanoTime() - askedAt >= leaseNanos / RENEWALS;
  }
}
