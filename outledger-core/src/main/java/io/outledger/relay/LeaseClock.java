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
  private static final int WORK_AFTER_RENEWAL = 10;

  private final TimeSource time;
  private final long leaseNanos;
  private final long ownNanos;
  private volatile long askedAt;
  private volatile long answeredAt;

  LeaseClock(TimeSource time, Duration lease, long askedAt) {
    this.time = time;
    this.leaseNanos = lease.toNanos();
    this.ownNanos = ownShare(lease).toNanos();
    renewed(askedAt);
  }

  /** Notes that the lease was renewed just now, in answer to what was asked then. */
  void renewed(long askedAtNanos) {
    askedAt = askedAtNanos;
    answeredAt = time.nanoTime();
  }

  /** Returns whether the owner may still publish. */
  boolean isValid() {
    return leftNanos() > 0;
  }

  /** Returns how much of a lease its owner uses: it ends before the database's. */
  static Duration ownShare(Duration lease) {
    return lease.minus(lease.dividedBy(MARGIN_DIVISOR));
  }

  long leftNanos() {
    return ownNanos - (time.nanoTime() - askedAt);
  }

  boolean renewalIsDue() {
    return time.nanoTime() - askedAt >= leaseNanos / RENEWALS;
  }

  /**
   * Returns whether user code and publishers may take some of the lease now: not while it waits to
   * be renewed, or they could use it up. After each renewal they get a tenth of the lease, or
   * nothing would go out where renewals take longer than a third of it.
   */
  boolean leavesTimeToWork() {
    return !renewalIsDue()
        || (isValid() && time.nanoTime() - answeredAt < leaseNanos / WORK_AFTER_RENEWAL);
  }
}
