// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state from which a relay continues when it has taken a lease.
 *
 * <p>If a position is open and has a parked row, the row's route has set the message aside and
 * other routes have not settled it yet. A relay that reads the message again therefore dispatches
 * it to those other routes only; the row's route gets it back from the row. Moving a subscription
 * back removes, in the same transaction, the rows of the messages that it will read again.
 *
 * @param n the number of the cursor row that took the lease
 * @param frontier the saved frontier, overflow included
 * @param overflow the open positions that are stored beside the cursor row
 * @param blocked the keys that have parked rows which wait for a retry, or are dead, and hold later
 *     messages back; those whose rows are all held may be many, and are read bit by bit: {@link
 *     RelayStore#releasable}
 * @param parked the open positions, and those above the frontier, whose message has parked rows;
 *     not those where the rows are of a message that the ledger does not have there (any more)
 * @param server the server that answered
 * @param known the message by which the ledger is recognised; null if there is none
 */
public record LeaseGrant(
    long n,
    Frontier frontier,
    Positions overflow,
    List<BlockedKey> blocked,
    List<ParkedPlace> parked,
    ServerIdentity server,
    @Nullable KnownMessage known) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public LeaseGrant {
    Require.nonNull("frontier", frontier);
    Require.nonNull("overflow", overflow);
    Require.nonNull("blocked", blocked);
    Require.nonNull("parked", parked);
    Require.nonNull("server", server);
  }

  /**
   * Makes a grant for a subscription without a known message, and without parked rows at positions
   * that it is to read.
   */
  public LeaseGrant(
      long n,
      Frontier frontier,
      Positions overflow,
      List<BlockedKey> blocked,
      ServerIdentity server) {
    this(n, frontier, overflow, blocked, List.of(), server, null);
  }

  /**
   * A key with parked rows that hold later messages of it back.
   *
   * @param route the route it is blocked in
   * @param key the key
   * @param rows how many such rows there are
   * @param waiting how many of them are retrying, or are dead letters that block; the other rows
   *     wait for these. If zero, the first row may be tried at once
   * @param untilResumed how many of those have no time at which they are tried again, because they
   *     wait for the end of a pause, or for an instance that handles them
   */
  public record BlockedKey(String route, String key, long rows, long waiting, long untilResumed) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public BlockedKey {
      Require.nonNull("route", route);
      Require.nonNull("key", key);
    }

    /** Makes one of which no row waits until it is resumed. */
    public BlockedKey(String route, String key, long rows, long waiting) {
      this(route, key, rows, waiting, 0);
    }
  }
}
