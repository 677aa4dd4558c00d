// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.inbox.InboxId;
import java.util.Optional;
import java.util.Set;

/**
 * The result of admitting a batch. Messages in none of the sets were processed or parked before.
 *
 * @param proof the messages that are remembered now, with the proof for their commit; empty where
 *     there are none
 * @param blocked those whose key is blocked; nothing was done with them
 * @param dead those whose key has dead letters that do not block it; nothing was done with them,
 *     unless the caller has the locks of their keys
 */
public record Admission(Optional<InboxProof> proof, Set<InboxId> blocked, Set<InboxId> dead) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public Admission {
    Require.nonNull("proof", proof);
    Require.nonNull("blocked", blocked);
    Require.nonNull("dead", dead);
  }
}
