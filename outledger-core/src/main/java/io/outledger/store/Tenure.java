// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import java.util.List;

/**
 * What a relay goes on from when it has taken a lease.
 *
 * @param n the number of the cursor row that took it
 * @param frontier the saved frontier, aged positions included
 * @param aged the open positions that are kept beside the cursor row
 * @param blocked the keys that have parked rows which hold later messages back
 * @param server who answered
 */
public record Tenure(
    long n, Frontier frontier, Positions aged, List<BlockedKey> blocked, ServerIdentity server) {

  /**
   * A key with parked rows that hold later messages of it back.
   *
   * @param lane the lane it is blocked in
   * @param key the key
   * @param rows how many such rows there are
   * @param waiting how many of them are retrying, or dead letters that block: the others wait for
   *     them; where there is none, the first may be tried at once
   */
  public record BlockedKey(String lane, String key, long rows, long waiting) {}
}
