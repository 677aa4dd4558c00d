// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import io.outledger.chaos.history.CommitOutcome;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All that the history says of one message. Mutable: it is filled line by line. */
final class Trail {

  final UUID id;
  @Nullable String key;
  long counter;
  @Nullable CommitOutcome outcome;

  /** Its position in the ledger, 0 where it is not visible there. */
  long position;

  boolean isParked;
  boolean isDead;
  boolean blocks;
  boolean isAcknowledged;
  boolean isReleased;
  boolean isDiscarded;
  boolean isForgotten;

  /** When it arrived first, counted in arrivals; 0 where it never did. */
  long firstArrival;

  int arrivals;

  /** Later messages of its key that may come before it. */
  Set<UUID> followers = Set.of();

  Trail(UUID id) {
    this.id = id;
  }

  /** The writer's word; where it has none, the database's. */
  boolean isCommitted() {
    return !isForgotten
        && (outcome == CommitOutcome.COMMITTED
            || (outcome == CommitOutcome.UNKNOWN && (position > 0 || isParked)));
  }

  boolean hasArrived() {
    return firstArrival > 0;
  }

  @Override
  public String toString() {
    return id
        + " (key "
        + key
        + ", counter "
        + counter
        + ", position "
        + position
        + ", "
        + outcome
        + ")";
  }
}
