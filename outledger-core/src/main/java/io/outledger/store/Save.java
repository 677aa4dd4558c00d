// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a save, which is written whole or not at all.
 *
 * @param n the number of the owner's newest row; the save inserts the next
 * @param incarnation the owner
 * @param server the server that granted the lease. If another server answers, nothing is written:
 *     it may have lost messages that the frontier calls settled, and reused their positions
 * @param lease how long the lease lasts from now, by the database's clock; zero gives it back
 * @param frontier the frontier; it may omit positions of the overflow
 * @param overflowBefore the open positions stored beside the cursor row so far
 * @param overflow the open positions to be stored there from now on
 * @param changes changes to the parked messages, in order
 * @param known the last message that the owner has read; null to keep the one of its {@link
 *     LeaseGrant}, if it has read none
 * @param lacking what is declared and the owner does not have: whoever has it may show up
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
    @Nullable KnownMessage known,
    Set<Declaration> lacking) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public Save {
    Require.nonNull("incarnation", incarnation);
    Require.nonNull("server", server);
    Require.nonNull("lease", lease);
    Require.nonNull("frontier", frontier);
    Require.nonNull("overflowBefore", overflowBefore);
    Require.nonNull("overflow", overflow);
    Require.nonNull("changes", changes);
    Require.nonNull("lacking", lacking);
  }

  /** Returns the frontier with all of the overflow, which is what a successor will load. */
  public Frontier whole() {
    return new Frontier(frontier.high(), frontier.open().union(overflow));
  }
}
