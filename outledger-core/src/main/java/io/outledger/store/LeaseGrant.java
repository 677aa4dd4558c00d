// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state from which a relay continues when it has taken a lease.
 *
 * <p>A parked row and an open position mean this together: the route of the row has set the message
 * aside, and other routes have not settled it yet. So whoever reads the message again hands it to
 * those alone; it comes back to the row's route out of the row. A subscription that is moved back
 * loses the rows of what it is to read again, with the same transaction.
 *
 * @param n the number of the cursor row that took it
 * @param frontier the saved frontier, overflow included
 * @param overflow the open positions that are kept beside the cursor row
 * @param blocked the keys that have parked rows which hold later messages back
 * @param parked the open positions, and those above the frontier, that have parked rows
 * @param server who answered
 * @param known the message by which the ledger is known again; null where none is
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
   * Makes one of a subscription that has no parked rows at positions it is to read, and no known
   * message.
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
   * @param waiting how many of them are retrying, or dead letters that block: the others wait for
   *     them; where there is none, the first may be tried at once
   */
  public record BlockedKey(String route, String key, long rows, long waiting) {}
}
