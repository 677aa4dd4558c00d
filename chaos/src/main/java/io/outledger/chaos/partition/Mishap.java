// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.partition;

import java.time.Duration;

/** What happens to a process, and how soon others are to have its partitions. */
enum Mishap {
  /** By {@code kill -9}. */
  KILLED("killed", WorkProcess.LEASE.plusSeconds(1)),
  /** By SIGSTOP, until the others have all of its partitions. */
  FROZEN("frozen", WorkProcess.LEASE.plusSeconds(1)),
  /** By SIGTERM: it gives its partitions back. */
  STOPPED("stopped", Duration.ofSeconds(1)),
  /** A further process comes, gets its share, and is stopped. */
  JOINED("joined", Duration.ofSeconds(1)),
  /**
   * An operator asks for another number of partitions; one process is killed, the others are
   * stopped one after the other, and each starts again with the new number.
   */
  DIVIDED("divided", WorkProcess.LEASE.plusSeconds(3));

  /** How many numbers {@link #of} tells apart. */
  static final int DRAWN = 12;

  private final String word;
  private final Duration goal;

  Mishap(String word, Duration goal) {
    this.word = word;
    this.goal = goal;
  }

  /** Returns the one of a number below {@value #DRAWN}; four of them are kills. */
  static Mishap of(int drawn) {
    return drawn < 4 ? KILLED : values()[drawn / 2 - 1];
  }

  /** Returns the name in records. */
  String word() {
    return "partition-process-" + word;
  }

  Duration goal() {
    return goal;
  }

  /** Returns what is waited for, for people. */
  String wait(int partitions) {
    if (this == DIVIDED) {
      return "last process with the old number has stopped → all new partitions have owners";
    }
    return this == KILLED || this == FROZEN
        ? "process %s → others have each of its partitions (%d in all)".formatted(word, partitions)
        : "partition given back by a process that %s → another has it"
            .formatted(this == STOPPED ? "stops" : "came and goes");
  }
}
