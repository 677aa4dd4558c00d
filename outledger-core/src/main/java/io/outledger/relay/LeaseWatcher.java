// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.store.CursorRow;
import io.outledger.store.Declaring;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * When a relay that stands by may take over: the lease was given back; or it has lapsed on the
 * database's clock <em>and</em> its row has been seen unchanged for a whole lease on this relay's
 * monotonic clock, so that a clock that jumps ahead takes no lease away. A row that was seen
 * unchanged for two leases is enough alone, so that a clock that was set back does not block
 * take-over forever.
 */
final class LeaseWatcher {

  private static final int LEASES_WITHOUT_CLOCK = 2;

  /** Twice as long as a relay that stands by waits between two looks. */
  private static final Duration OTHERS_FIRST = Duration.ofSeconds(1);

  private @Nullable CursorRow watched;
  private long watchedSince;
  private @Nullable UUID former;
  private boolean isAtWork;
  private @Nullable CursorRow free;
  private long freeSince;

  /** Notes an incarnation of this relay that has ended: its lease need not be waited out. */
  void ended(UUID incarnation) {
    former = incarnation;
    watched = null;
    isAtWork = false;
  }

  /** Returns whether the row has changed since it is watched, so that its owner is alive. */
  boolean isAtWork() {
    return isAtWork;
  }

  /**
   * Takes note of the newest row, and returns whether the lease may be taken.
   *
   * @param own what this relay has: where it lacks what the last owner has lacked, another one that
   *     has it goes first
   */
  boolean observe(CursorRow row, Declaring own, long now) {
    boolean isFree = mayTake(row, own, now) && row.waits() == null;
    if (isFree && !isSame(free, row)) {
      freeSince = now;
    }
    free = isFree ? row : null;
    return isFree;
  }

  /** Returns for how long the lease has been seen free, after it was. */
  Duration freeFor(long now) {
    return Duration.ofNanos(now - freeSince);
  }

  private static boolean isSame(@Nullable CursorRow seen, CursorRow row) {
    return seen != null && seen.n() == row.n() && seen.incarnation().equals(row.incarnation());
  }

  private boolean mayTake(CursorRow row, Declaring own, long now) {
    boolean othersGoFirst = row.released() && !row.lacking().stream().allMatch(own::covers);
    if (!othersGoFirst && (row.released() || row.incarnation().equals(former))) {
      isAtWork = false;
      return true;
    }
    if (!isSame(watched, row)) {
      isAtWork = watched != null;
      watched = row;
      watchedSince = now;
      return false;
    }
    long unchanged = now - watchedSince;
    if (othersGoFirst) {
      return unchanged >= OTHERS_FIRST.toNanos();
    }
    long lease = row.lease().toNanos();
    return unchanged >= LEASES_WITHOUT_CLOCK * lease || (row.lapsed() && unchanged >= lease);
  }
}
