// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;

/** The outcome of a save. */
public sealed interface SaveOutcome {

  /**
   * It is committed and on the disk.
   *
   * @param witness a number above that of every writer which drew a position before the save was
   *     sent and has not ended: see {@link io.outledger.frontier.Snapshot}
   * @param server the server that answered
   */
  record Saved(long witness, ServerIdentity server) implements SaveOutcome {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
     */
    public Saved {
      Require.nonNull("server", server);
    }
  }

  /**
   * Somebody else owns the cursor now, or another server or ledger answered than gave the lease;
   * nothing was written, parked messages included.
   */
  record Fenced() implements SaveOutcome {}
}
