// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a save, which is written whole or not at all.
 *
 * @param n the number of the owner's newest row; the save inserts the next
 * @param incarnation the owner
 * @param server who gave the owner its lease: where another one answers, nothing is written,
 *     because it may have lost what the frontier says is settled, and have handed out its numbers
 *     again
 * @param lease how long the lease is to last from now, by the database's clock; zero gives it back
 * @param frontier the frontier; of the overflow it may leave out any
 * @param overflowBefore the open positions that are kept beside the cursor row so far
 * @param overflow those to be kept there from now on, all of them open
 * @param changes changes to the parked messages, in order
 * @param known the message that the owner has read last; null where it has read none and keeps the
 *     one of its {@link LeaseGrant}
 */
public record Save(
    long n,
    UUID incarnation,
    ServerIdentity server,
    Duration lease,
    Frontier frontier,
    Positions overflowBefore,
    Positions overflow,
    List<ParkedChange> changes,
    @Nullable KnownMessage known) {

  /** Returns the frontier with all of the overflow, which is what a successor will load. */
  public Frontier whole() {
    return new Frontier(frontier.high(), frontier.open().union(overflow));
  }
}
