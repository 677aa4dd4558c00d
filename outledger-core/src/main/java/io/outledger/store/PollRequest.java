// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import io.outledger.frontier.Positions;
import org.jspecify.annotations.Nullable;

/**
 * A relay's request to read messages.
 *
 * @param above positions above this one, or {@link Long#MAX_VALUE} for none of them
 * @param limit at most this many messages from above
 * @param bytesMax bytes of payloads and headers in memory after which the page is cut short; one
 *     message is always returned
 * @param open positions at or below {@code above} to look for as well, all of them
 * @param known a message of this ledger; if it is gone and retention did not remove it, the page
 *     names no ledger. Null where none is known
 */
public record PollRequest(
    long above, int limit, long bytesMax, Positions open, @Nullable KnownMessage known) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public PollRequest {
    Require.nonNull("open", open);
  }

  /** Makes one of a reader that knows no message yet. */
  public PollRequest(long above, int limit, long bytesMax, Positions open) {
    this(above, limit, bytesMax, open, null);
  }
}
