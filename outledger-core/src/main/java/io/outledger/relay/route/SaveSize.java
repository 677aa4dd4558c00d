// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import java.time.Duration;

/**
 * How many changes of parked rows one save may write, so that it ends before the lease: an owner
 * whose saves outlast its lease would lose it after each of them, and so would its successor. What
 * a database does in a time is not known beforehand, so it is tried: the number is halved after a
 * large save that has taken too much of the lease, and doubled after a quick one that has used it
 * up. A small save that takes long says nothing of large ones: it waits for something else.
 */
final class SaveSize {

  private static final int FIRST = 256;

  /** So few that even a slow database writes them within a short lease. */
  private static final int LEAST = 64;

  private static final int MOST = 1 << 20;
  private static final int PART_OF_LEASE = 4;

  private int most = FIRST;

  /** Returns how many changes the next save may write. */
  int most() {
    return most;
  }

  /** Takes how long a save with this number of changes has taken. */
  void saved(int changes, Duration took, Duration lease) {
    if (took.compareTo(lease.dividedBy(PART_OF_LEASE)) > 0) {
      most = changes >= most / 2 ? Math.max(LEAST, most / 2) : most;
    } else if (changes >= most) {
      most = Math.min(MOST, most * 2);
    }
  }
}
