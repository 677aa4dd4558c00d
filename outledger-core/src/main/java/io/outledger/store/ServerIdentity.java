// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import org.jspecify.annotations.Nullable;

/**
 * Which server answered a statement, and with which ledger. A pool, a proxy or a fail-over may
 * switch servers unseen, and a ledger may be emptied or restored: a relay that gets another answer
 * than at its take-over forgets everything and loads again. Both texts are a store's own and only
 * compared.
 *
 * @param server changes with a restart of the server, with a fail-over, and whenever writers'
 *     numbers may be handed out again
 * @param ledger changes whenever positions may be handed out again; null where this is certainly
 *     not the ledger that whoever asked has read
 */
public record ServerIdentity(String server, @Nullable String ledger) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the server is null
   */
  public ServerIdentity {
    Require.nonNull("server", server);
  }

  /** Returns the same server with a ledger that whoever asked has not read. */
  public ServerIdentity withOtherLedger() {
    return new ServerIdentity(server, null);
  }
}
