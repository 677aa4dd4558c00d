// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import java.util.UUID;

/**
 * A message that a subscription has seen in its ledger, usually the one read last. Positions are
 * never used twice, so where another message stands there, the ledger was emptied and its numbers
 * are handed out again, and what the subscription has settled says nothing of it.
 *
 * @param position where it stood
 * @param id its id; {@link #PURGED} where retention has removed it
 */
public record KnownMessage(long position, UUID id) {

  /** The id of no message: nothing can stand at the position any more. */
  public static final UUID PURGED = new UUID(0, 0);

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public KnownMessage {
    Require.nonNull("id", id);
  }
}
